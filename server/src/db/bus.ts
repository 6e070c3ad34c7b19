import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** News that every server process has to know at once. Small: PostgreSQL carries at most 8,000 bytes. */
export type News =
  /** These sessions are over: their tokens are worth nothing and their live channels close. */
  | { readonly kind: 'sessionsEnded'; readonly sessionIds: readonly string[]; readonly reason: 'logout' | 'error' }
  /** Role, policy, status or names of these users changed, or of everybody in these organizations. */
  | {
      readonly kind: 'viewersChanged'
      readonly userIds?: readonly string[]
      readonly organizationIds?: readonly string[]
    }
  /** These API tokens are over. Servers of earlier versions know none. */
  | { readonly kind: 'apiTokensEnded'; readonly tokenIds: readonly string[] }
  /** A message that one live channel of a session passes on to the others (4.12, 4.13). */
  | {
      readonly kind: 'passedOn'
      readonly sessionId: string
      readonly frame: 'idleTimeout' | 'renewToken'
      readonly from: string
      /**
       * Of `renewToken`: when the token shown ends, in milliseconds since the epoch. Servers of earlier versions do
       * not say it.
       */
      readonly expires?: number
    }
  /**
   * Scans of this organization are gone, or their bytes lie elsewhere. Servers of earlier versions neither say nor hear
   * it.
   */
  | { readonly kind: 'scansChanged'; readonly organizationId: string }
  /** These share links were opened or revoked: open pages look at once. */
  | { readonly kind: 'sharesChanged'; readonly shareIds: readonly string[] }
  /** Programs can be told more about the scans of this organization. */
  | { readonly kind: 'changesRecorded'; readonly organizationId: string }
  /** Webhooks have something to send that is no new change. */
  | { readonly kind: 'webhooksDue' }
  /** DICOM partners of this organization changed: what they have open is judged anew. Earlier servers know none. */
  | { readonly kind: 'dicomPartnersChanged'; readonly organizationId: string }
  /**
   * Something is new or read in the inbox of a person, of the people of an organization, or (both null) of the
   * provider's staff. Servers of earlier versions neither say nor hear it.
   */
  | { readonly kind: 'inboxChanged'; readonly userId: string | null; readonly organizationId: string | null }
  /** There is work of this kind: processes that do such work look at once. */
  | { readonly kind: 'jobsWaiting'; readonly job: string }
  /** News may have been missed: drop all caches. */
  | { readonly kind: 'missed' }

export interface Bus {
  /** Reaches this process before it returns, the others within milliseconds. */
  publish(news: News): void
  subscribe(listener: (news: News) => void): void
  /** False while other processes cannot be heard; nothing may then be answered from memory. */
  readonly hears: boolean
  close(): Promise<void>
}

const channel = 'dmp_news'
/** UUIDs per message, so that a message stays below 8,000 bytes. */
const perMessage = 150

export function createLocalBus(): Bus {
  const listeners: ((news: News) => void)[] = []
  return {
    hears: true,
    publish: (news) => listeners.forEach((listener) => listener(news)),
    subscribe: (listener) => void listeners.push(listener),
    close: async () => undefined,
  }
}

/** How long the line may take to answer, and how often it is asked whether it still does. */
const lineTimeoutMs = 4000
const askEveryMs = 5000
const retryMs = 1000

/**
 * LISTEN/NOTIFY between the processes of one PostgreSQL. News go out on the line on which those of others come in: full
 * pools hold none up, and a line that takes none is given up. Whatever could not be said is owed: once there is a line
 * again, and at the start, because the process before may have died with news unsaid, the others are told to drop what
 * they remember.
 */
export async function openSharedBus(url: string): Promise<Bus> {
  const own = randomUUID()
  const local = createLocalBus()
  let line: Line | undefined
  let again: NodeJS.Timeout | undefined
  let owes = true
  let isClosed = false

  const send = (news: News): void => {
    const message = JSON.stringify({ from: own, news: toWire(news) })
    const said = line?.say(message) ?? Promise.resolve(false)
    void said.then((isSaid) => (owes ||= !isSaid))
  }
  const listen = async (): Promise<void> => {
    const opened = await openLine(url, {
      onMessage: (payload) => {
        const message = JSON.parse(payload) as { from?: string; news?: WireNews }
        if (message.from !== own && message.news) local.publish(fromWire(message.news))
      },
      onLost: () => {
        line = undefined
        if (!isClosed) again = setTimeout(() => void listen(), retryMs)
      },
    })
    if (isClosed) return opened?.close()
    line = opened
    if (!opened) return
    local.publish({ kind: 'missed' })
    if (!owes) return
    owes = false
    send({ kind: 'missed' })
  }
  await listen()

  return {
    get hears() {
      return line !== undefined
    },
    publish: (news) => {
      local.publish(news)
      for (const part of inMessages(news)) send(part)
    },
    subscribe: local.subscribe,
    close: async () => {
      isClosed = true
      clearTimeout(again)
      await line?.close()
    },
  }
}

interface Line {
  /** Returns false if it may not have gone out; the line is lost then. */
  say(message: string): Promise<boolean>
  /** Everything is said before. */
  close(): Promise<void>
}

/** Undefined, and `onLost` called, where there is none. `onLost` is called once. */
async function openLine(
  connectionString: string,
  { onMessage, onLost }: { onMessage(payload: string): void; onLost(): void },
): Promise<Line | undefined> {
  const client = new pg.Client({
    connectionString,
    application_name: 'dmp-news',
    keepAlive: true,
    connectionTimeoutMillis: lineTimeoutMs,
    query_timeout: lineTimeoutMs,
  })
  const end = async (): Promise<void> => {
    clearInterval(asking)
    client.removeAllListeners('end').removeAllListeners('notification')
    await client.end().catch(() => undefined)
  }
  let isLost = false
  const lose = (): void => {
    if (isLost) return
    isLost = true
    void end()
    onLost()
  }
  const ask = async (text: string, values: readonly string[] = []): Promise<boolean> => {
    try {
      await client.query(text, [...values])
      return true
    } catch {
      lose()
      return false
    }
  }
  // A line that was cut on its way says nothing by itself.
  const asking = setInterval(() => void ask('select 1'), askEveryMs).unref()
  client.on('error', () => undefined)
  try {
    await client.connect()
    client.once('end', lose)
    client.on('notification', ({ payload }) => onMessage(payload ?? '{}'))
    await client.query(`listen ${channel}`)
  } catch {
    lose()
  }
  if (isLost) return undefined
  let last: Promise<unknown> = Promise.resolve()
  return {
    say: (message) => {
      const said = ask('select pg_notify($1, $2)', [channel, message])
      last = said
      return said
    },
    close: async () => {
      await last
      await end()
    },
  }
}

function inMessages(news: News): News[] {
  if (news.kind === 'sessionsEnded') return inPieces(news.sessionIds).map((sessionIds) => ({ ...news, sessionIds }))
  if (news.kind === 'sharesChanged') return inPieces(news.shareIds).map((shareIds) => ({ ...news, shareIds }))
  return [news]
}

const inPieces = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / perMessage) }, (_, at) =>
    ids.slice(at * perMessage, (at + 1) * perMessage),
  )

/**
 * News between processes keep the names of the version before (`family`, `families`), so that during a rolling upgrade
 * servers of both versions end a session at the same moment.
 */
export type WireNews = Omit<News, 'sessionId' | 'sessionIds'> & {
  readonly family?: string
  readonly families?: readonly string[]
}

function toWire(news: News): WireNews {
  if (news.kind === 'sessionsEnded') {
    const { sessionIds, ...rest } = news
    return { ...rest, families: sessionIds }
  }
  if (news.kind === 'passedOn') {
    const { sessionId, ...rest } = news
    return { ...rest, family: sessionId }
  }
  return news
}

function fromWire({ family, families, ...rest }: WireNews): News {
  if (families) return { ...rest, sessionIds: families } as News
  return (family === undefined ? rest : { ...rest, sessionId: family }) as News
}
