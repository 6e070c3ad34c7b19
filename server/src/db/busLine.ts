import pg from 'pg'
import { newsLineName } from './backFills/versions.ts'
import type { DatabaseHosts } from './databaseHosts.ts'

export const channel = 'dmp_news'

/** How long the line may take to answer, and how often it is asked whether it still does. */
const lineTimeoutMs = 4000
/** News that were sent before the line was asked came with its answer: what is remembered is a second old at most. */
const askEveryMs = 400
const lateMs = 600

/** On which news go out and come in. */
export interface Line {
  /** It has not answered for a moment: news may be on their way. */
  readonly isLate: boolean
  /** Returns false if it may not have gone out; the line is lost then. */
  say(message: string): Promise<boolean>
  /** Everything is said before. */
  close(): Promise<void>
}

/** Undefined, and `onLost` called, where there is none. `onLost` is called once. */
export async function openLine(
  hosts: DatabaseHosts,
  { onMessage, onLost }: { onMessage(payload: string): void; onLost(): void },
): Promise<Line | undefined> {
  // The others say their news where writes are taken.
  if (hosts.areSeveral) await hosts.find()
  const client = createClient(hosts.address)
  const end = async (): Promise<void> => {
    beating.stop()
    endFollowing()
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
  const endFollowing = hosts.onMove(lose)
  // One after the other: the library takes no second statement before the first is answered.
  let last: Promise<boolean> | undefined
  const ask = (text: string, values: readonly string[] = []): Promise<boolean> => {
    const answer = last ? last.then(() => client.query(text, [...values])) : client.query(text, [...values])
    const asked = answer.then(
      () => true,
      () => {
        lose()
        return false
      },
    )
    last = asked
    void asked.then(() => {
      if (last === asked) last = undefined
    })
    return asked
  }
  const beating = startBeat(() => ask('select 1'))
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
  return {
    get isLate() {
      return beating.isLate
    },
    say: (message) => ask('select pg_notify($1, $2)', [channel, message]),
    close: async () => {
      await last
      await end()
    },
  }
}

const createClient = (connectionString: string): pg.Client =>
  new pg.Client({
    connectionString,
    application_name: newsLineName,
    keepAlive: true,
    connectionTimeoutMillis: lineTimeoutMs,
    query_timeout: lineTimeoutMs,
  })

/** A line that was cut on its way says nothing by itself: it is asked now and then whether it answers. */
function startBeat(ask: () => Promise<boolean>): { readonly isLate: boolean; stop(): void } {
  let isLate = false
  let late: NodeJS.Timeout | undefined
  const beat = async (): Promise<void> => {
    if (late) return
    late = setTimeout(() => (isLate = true), lateMs).unref()
    const isAnswered = await ask()
    clearTimeout(late)
    late = undefined
    isLate = !isAnswered
  }
  const timer = setInterval(() => void beat(), askEveryMs).unref()
  return {
    get isLate() {
      return isLate
    },
    stop: () => {
      clearInterval(timer)
      clearTimeout(late)
    },
  }
}
