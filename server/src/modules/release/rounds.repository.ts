import type { JourneyResult, Round, ShownRound, Trial } from '@dmp/contract/releaseRounds'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { Viewer } from '../../core/context.ts'

/** Rounds that are kept of each kind: some days of a monitor's, and the last whole runs. */
const keptRounds = { monitor: 500, suite: 30 } as const
const shownRounds = 50
/** Rounds on one snapshot that are looked through for the newest result of each journey. */
const readRounds = 20
/** Between a round and what is told of its trials. */
const trialMinutes = 15

/** Without its cookie, which is told once. */
export type KeptTrial = Omit<Trial, 'cookie'>

export interface KeptRound {
  readonly round: Round
  readonly trials: readonly KeptTrial[]
  readonly verdict: string | null
}

/** How a teller is named in the history and on the screen. */
export const toTeller = ({ ownerId, fullName, email }: Viewer): string =>
  ownerId === undefined ? email : `monitor ${fullName}`

const count = ({ journeys }: Round, outcome: JourneyResult['outcome']): number =>
  journeys.filter((journey) => journey.outcome === outcome).length

/** Keeps a round, and lets the oldest of its kind go. Returns its id. */
export async function keepRound(db: Db, viewer: Viewer, { round, trials, verdict }: KeptRound): Promise<string> {
  const { kind, snapshot, startedDate, endedDate, parts, journeys, untried } = round
  const { id } = await db
    .insertInto('release_rounds')
    .values({
      teller_id: viewer.userId,
      teller: toTeller(viewer),
      kind,
      snapshot,
      started_date: startedDate,
      ended_date: endedDate,
      passed: count(round, 'passed'),
      failed: count(round, 'failed'),
      flaky: count(round, 'flaky'),
      skipped: count(round, 'skipped'),
      parts: JSON.stringify(parts),
      journeys: JSON.stringify(journeys),
      untried: untried === undefined ? null : JSON.stringify(untried),
      trials: JSON.stringify(trials),
      verdict,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`delete from release_rounds where id in (select id from release_rounds where kind = ${kind}
    order by created_date desc, id offset ${keptRounds[kind]})`.execute(db)
  return id
}

/** A round of this teller whose trials are still waited for. */
export async function findRoundOnTrial(
  db: Db,
  viewer: Viewer,
  id: string,
): Promise<{ readonly journeys: readonly JourneyResult[]; readonly trials: readonly KeptTrial[] } | undefined> {
  return db
    .selectFrom('release_rounds')
    .select(['journeys', 'trials'])
    .where('id', '=', id)
    .where('teller_id', '=', viewer.userId)
    .where('created_date', '>', sql<Date>`now() - make_interval(mins => ${trialMinutes})`)
    .executeTakeFirst()
}

/** Takes the trial of a part off a round; false where somebody told of it already. */
export async function endTrial(db: Db, id: string, { part, releaseId, previous }: KeptTrial): Promise<boolean> {
  const trial = JSON.stringify([{ part, releaseId, previous }])
  const { numUpdatedRows } = await db
    .updateTable('release_rounds')
    .set({
      trials: sql`(select coalesce(jsonb_agg(trial), '[]') from jsonb_array_elements(trials) trial
        where trial->>'part' <> ${part})`,
    })
    .where('id', '=', id)
    .where(sql<boolean>`trials @> ${trial}::jsonb`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function addVerdict(db: Db, id: string, sentence: string): Promise<void> {
  await db
    .updateTable('release_rounds')
    .set({ verdict: sql`concat_ws(' ', verdict, ${sentence}::text)` })
    .where('id', '=', id)
    .execute()
}

/** The newest rounds, each in a line. */
export async function listRounds(db: Db): Promise<ShownRound[]> {
  const rows = await db
    .selectFrom('release_rounds')
    .select(['id', 'kind', 'teller', 'snapshot', 'started_date', 'ended_date'])
    .select(['passed', 'failed', 'flaky', 'skipped', 'verdict'])
    .orderBy('created_date', 'desc')
    .orderBy('id')
    .limit(shownRounds)
    .execute()
  return rows.map(({ teller, started_date, ended_date, ...row }) => ({
    ...row,
    by: teller,
    endedDate: ended_date.toISOString(),
    seconds: Math.max(0, Math.round((ended_date.getTime() - started_date.getTime()) / 1000)),
  }))
}

/** What the newest rounds on a snapshot told of each journey; newest first. */
export async function listResults(
  db: Db,
  snapshot: string,
): Promise<{ journeys: readonly JourneyResult[]; untried: readonly string[] | null; ended_date: Date }[]> {
  const ofKind = (kind: Round['kind']) =>
    db
      .selectFrom('release_rounds')
      .select(['journeys', 'untried', 'ended_date'])
      .where('snapshot', '=', snapshot)
      .where('kind', '=', kind)
      .orderBy('created_date', 'desc')
      .orderBy('id')
      .limit(readRounds)
      .execute()
  // Separately: a whole run is soon older than many rounds of a monitor.
  const rows = [...(await ofKind('monitor')), ...(await ofKind('suite'))]
  return rows.sort((a, b) => b.ended_date.getTime() - a.ended_date.getTime())
}
