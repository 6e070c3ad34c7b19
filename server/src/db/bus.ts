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

/** LISTEN/NOTIFY between the processes of one PostgreSQL. */
export async function openSharedBus(pool: pg.Pool, url: string): Promise<Bus> {
  const own = randomUUID()
  const local = createLocalBus()
  let listening: pg.Client | undefined
  let again: NodeJS.Timeout | undefined
  let isClosed = false

  const listen = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'dmp-news',
      keepAlive: true,
      connectionTimeoutMillis: 4000,
    })
    const onLost = (): void => {
      if (listening === client) listening = undefined
      client.removeAllListeners('end')
      void client.end().catch(() => undefined)
      if (!isClosed) again = setTimeout(() => void listen(), 1000)
    }
    client.on('error', () => undefined)
    try {
      await client.connect()
      client.once('end', onLost)
      client.on('notification', ({ payload }) => {
        const message = JSON.parse(payload ?? '{}') as { from?: string; news?: WireNews }
        if (message.from !== own && message.news) local.publish(fromWire(message.news))
      })
      await client.query(`listen ${channel}`)
      listening = client
      local.publish({ kind: 'missed' })
    } catch {
      onLost()
    }
  }
  await listen()

  return {
    get hears() {
      return listening !== undefined
    },
    publish: (news) => {
      local.publish(news)
      for (const part of inMessages(news)) {
        // A process that cannot be reached stops answering from memory by itself (`hears`), so a failure here needs no
        // cure.
        void pool
          .query('select pg_notify($1, $2)', [channel, JSON.stringify({ from: own, news: toWire(part) })])
          .catch(() => undefined)
      }
    },
    subscribe: local.subscribe,
    close: async () => {
      isClosed = true
      clearTimeout(again)
      listening?.removeAllListeners('end')
      await listening?.end().catch(() => undefined)
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
