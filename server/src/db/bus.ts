import { randomUUID } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { BoundedMap } from '../core/BoundedMap.ts'
import { channel, openLine, type Line } from './busLine.ts'
import type { DatabaseHosts } from './databaseHosts.ts'
import type { Tables } from './tables/index.ts'

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
  /** These exports are over: what is downloaded of them breaks off. Earlier servers know none. */
  | { readonly kind: 'exportsEnded'; readonly exportIds: readonly string[] }
  /** These imports are over: what is uploaded to them breaks off. Earlier servers know none. */
  | { readonly kind: 'importsEnded'; readonly importIds: readonly string[] }
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
  /** Another server wants to go on with this upload: whoever writes to it lets go. Earlier servers know none. */
  | { readonly kind: 'uploadWanted'; readonly uploadId: string }
  /** There is work of this kind: processes that do such work look at once. */
  | { readonly kind: 'jobsWaiting'; readonly job: string }
  /** News may have been missed: drop all caches. */
  | { readonly kind: 'missed' }

export interface Bus {
  /** Reaches this process before it returns, the others within milliseconds. */
  publish(news: News): void
  /**
   * Tells the others with the commit of the transaction, so that a server that dies right after it leaves nobody
   * behind; for what ends rights. The function that is returned tells this process: to be called after the commit.
   */
  announce(trx: Transaction<Tables>, news: News): Promise<() => void>
  subscribe(listener: (news: News) => void): void
  /** False while other processes cannot be heard; nothing may then be answered from memory. */
  readonly hears: boolean
  close(): Promise<void>
}

/** UUIDs per message, so that a message stays below 8,000 bytes. */
const perMessage = 150

export function createLocalBus(): Bus {
  const listeners: ((news: News) => void)[] = []
  const publish = (news: News): void => listeners.forEach((listener) => listener(news))
  return {
    hears: true,
    publish,
    announce: async (_trx, news) => () => publish(news),
    subscribe: (listener) => void listeners.push(listener),
    close: async () => undefined,
  }
}

const retryMs = 1000
/** Announcements of transactions that have not ended, or of which nobody knows how they ended. */
const mostAnnounced = 10_000

/**
 * LISTEN/NOTIFY between the processes of one PostgreSQL. What ends rights goes out with the transaction that ends them.
 * Other news go out on the line on which those of others come in: full pools hold none up, and a line that takes none
 * is given up. Whatever could not be said is owed: once there is a line again, and at the start, because the process
 * before may have died with news unsaid, the others are told to drop what they remember.
 */
export async function openSharedBus(hosts: DatabaseHosts): Promise<Bus> {
  const own = randomUUID()
  const local = createLocalBus()
  let line: Line | undefined
  let again: NodeJS.Timeout | undefined
  let owes = true
  let isClosed = false
  const announcements = createAnnouncements(own, local.publish)

  const send = (news: News): void => {
    const message = JSON.stringify({ from: own, news: toWire(news) })
    const said = line?.say(message) ?? Promise.resolve(false)
    void said.then((isSaid) => (owes ||= !isSaid))
  }
  const listen = async (): Promise<void> => {
    const opened = await openLine(hosts, {
      onMessage: (payload) => {
        const message = JSON.parse(payload) as { from?: string; id?: string; news?: WireNews }
        if (message.from === own) return announcements.tellOnce(message.id ?? '')
        if (message.news) local.publish(fromWire(message.news))
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
      return line !== undefined && !line.isLate
    },
    announce: announcements.announce,
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

/** What a process has announced, and not told its own listeners yet. */
function createAnnouncements(own: string, publish: Bus['publish']) {
  const announced = new BoundedMap<string, News>(mostAnnounced)
  /** After the commit or when the announcement comes back, whichever is first: an answer to a commit can get lost. */
  const tellOnce = (id: string): void => {
    const news = announced.get(id)
    announced.delete(id)
    if (news) publish(news)
  }
  const announce: Bus['announce'] = async (trx, news) => {
    const ids: string[] = []
    for (const part of inMessages(news)) {
      const id = randomUUID()
      const message = JSON.stringify({ from: own, id, news: toWire(part) })
      await sql`select pg_notify(${channel}, ${message})`.execute(trx)
      announced.set(id, part)
      ids.push(id)
    }
    return () => ids.forEach(tellOnce)
  }
  return { tellOnce, announce }
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
