import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { correctClock, takeClockStep } from '../core/clock.ts'
import type { Database } from './client.ts'

const everyMs = 10_000
/** An answer that took longer says too little about the time. */
const longestAnswerMs = 2000
/** What the round to the database may cost is no difference of clocks. */
const leastCorrectionMs = 1000
const leastConcernMs = 10_000

export interface ClockWatch {
  /** What the operator should know of this server's clock. */
  concern(): string | undefined
  close(): Promise<void>
}

/**
 * Compares the clock of this server with that of the database at the start and every few seconds, and goes by the
 * database's. The embedded database has our own clock; there only steps are noticed.
 */
export async function startClockWatch(
  { db, pool }: Pick<Database, 'db' | 'pool'>,
  log: FastifyBaseLogger,
): Promise<ClockWatch> {
  let concern: string | undefined
  const look = async (): Promise<void> => {
    const step = takeClockStep()
    if (step !== 0) log.warn({ seconds: Math.round(step / 1000) }, describeStep(step))
    if (!pool) return
    const difference = await measure(db)
    if (difference === undefined) return
    correctClock(Math.abs(difference) < leastCorrectionMs ? 0 : difference)
    const previous = concern
    concern = Math.abs(difference) < leastConcernMs ? undefined : describeDifference(difference)
    if (concern !== undefined && previous === undefined) log.warn(concern)
    if (concern === undefined && previous !== undefined) log.info('The clock of this server is right again.')
  }
  await look()
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(look).catch(() => undefined)
  }, everyMs)
  timer.unref()
  return {
    concern: () => concern,
    close: async () => {
      clearInterval(timer)
      await running
    },
  }
}

/** By how much the database is ahead; the answer is from the middle of the time that it took. */
async function measure(db: Database['db']): Promise<number | undefined> {
  const before = Date.now()
  const began = performance.now()
  const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(
    db,
  )
  const took = performance.now() - began
  const [row] = rows
  return row && took < longestAnswerMs ? Math.round(row.ms - before - took / 2) : undefined
}

const inWords = (ms: number): string => {
  const seconds = Math.round(Math.abs(ms) / 1000)
  return seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`
}

const describeDifference = (ms: number): string =>
  `The clock of this server is ${inWords(ms)} ${ms > 0 ? 'behind' : 'ahead of'} that of the database. ` +
  'The server goes by the database; set the clock of this machine.'

const describeStep = (ms: number): string =>
  `The clock of this machine was set ${ms > 0 ? 'forward' : 'back'} by ${inWords(ms)}. ` +
  'Nothing is deleted for its age for an hour.'
