import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** What every server process has to know at once. Small: PostgreSQL carries at most 8,000 bytes. */
export type News =
  /** These sessions are over: their tokens are worth nothing and their live channels close. */
  | { readonly kind: 'sessionsEnded'; readonly families: readonly string[]; readonly reason: 'logout' | 'error' }
  /** Role, policy, status or names of these users changed, or of everybody in these organizations. */
  | {
      readonly kind: 'viewersChanged'
      readonly userIds?: readonly string[]
      readonly organizationIds?: readonly string[]
    }
  /** What one live channel of a session passes on to the others (4.12, 4.13). */
  | {
      readonly kind: 'passedOn'
      readonly family: string
      readonly frame: 'idleTimeout' | 'renewToken'
      readonly from: string
    }
  /** There is work of this kind: whoever does such work looks at once. */
  | { readonly kind: 'jobsWaiting'; readonly job: string }
  /** News may have been missed: forget what is remembered. */
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
    const client = new pg.Client({ connectionString: url, application_name: 'dmp-news', keepAlive: true })
    const lost = (): void => {
      if (listening === client) listening = undefined
      client.removeAllListeners('end')
      void client.end().catch(() => undefined)
      if (!isClosed) again = setTimeout(() => void listen(), 1000)
    }
    client.on('error', () => undefined)
    try {
      await client.connect()
      client.once('end', lost)
      client.on('notification', ({ payload }) => {
        const message = JSON.parse(payload ?? '{}') as { from?: string; news?: News }
        if (message.from !== own && message.news) local.publish(message.news)
      })
      await client.query(`listen ${channel}`)
      listening = client
      local.publish({ kind: 'missed' })
    } catch {
      lost()
    }
  }
  await listen()

  return {
    get hears() {
      return listening !== undefined
    },
    publish: (news) => {
      local.publish(news)
      for (const part of inParts(news)) {
        // A process that cannot be reached stops answering from memory by itself (`hears`), so a failure here needs no
        // cure.
        void pool
          .query('select pg_notify($1, $2)', [channel, JSON.stringify({ from: own, news: part })])
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

function inParts(news: News): News[] {
  if (news.kind !== 'sessionsEnded' || news.families.length <= perMessage) return [news]
  const deps: News[] = []
  for (let start = 0; start < news.families.length; start += perMessage)
    deps.push({ ...news, families: news.families.slice(start, start + perMessage) })
  return deps
}
