import { setTimeout as pause } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import type { Turn } from '../../../core/fairTurns.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { openHeader, sealHeader, toCommonPlace, unsealHeader, type CommonHeader } from '../intake/sealedHeaders.ts'
import {
  findCommonHeader,
  headerTables,
  holdCommonHeader,
  isGrowing,
  listBinned,
  listForgotten,
  listHeaders,
  listShortened,
  listWaiting,
  markGoneThrough,
  removeUnusedCommon,
  replaceHeaders,
  type HeaderChange,
  type HeaderRow,
  type HeaderTable,
  type SeriesKey,
  type WaitingSeries,
} from './shortHeaders.repository.ts'

export type HeaderDependencies = Pick<Dependencies, 'db' | 'encryption' | 'reader' | 'log'>

/** For a row or a series that somebody else holds: until then the batch's own rows are held as well. */
const lockMs = 400

export interface Walked {
  readonly headers: number
  /** Series that were left as they are: somebody else held them, or one of their headers cannot be read. */
  readonly left: number
}

interface Shortening {
  readonly signal: AbortSignal
  /** An image came since then: more are to come. */
  readonly quietMinutes: number
  /** Asked before every few series: a server may have come that cannot read them. */
  mayGoOn(): Promise<boolean>
}

/** Takes out of the headers what they have in common with their series, once that is quiet. */
export async function shortenAll(
  deps: HeaderDependencies,
  { signal, quietMinutes, mayGoOn }: Shortening,
): Promise<Walked> {
  const total = { headers: 0, left: 0 }
  for (let after: SeriesKey | undefined; await mayGoOn();) {
    const waiting = await listWaiting(deps.db, after)
    for (const series of waiting)
      if (!(await isGrowing(deps.db, series, quietMinutes)))
        await count(deps, total, series, signal, () => shortenSeries(deps, series, signal))
    after = waiting.at(-1)
    if (!after) break
  }
  await removeForgotten(deps, signal)
  return total
}

/** The way back: every header is whole again, as servers of every version read it. */
export async function lengthenAll(deps: HeaderDependencies, signal: AbortSignal): Promise<Walked> {
  const total = { headers: 0, left: 0 }
  for (let after: SeriesKey | undefined; ;) {
    const shortened = await listShortened(deps.db, after)
    for (const series of shortened) await count(deps, total, series, signal, () => lengthenSeries(deps, series, signal))
    after = shortened.at(-1)
    if (!after) return total
  }
}

async function removeForgotten({ db }: HeaderDependencies, signal: AbortSignal): Promise<void> {
  for (let after: SeriesKey | undefined; ;) {
    signal.throwIfAborted()
    const forgotten = await listForgotten(db, after)
    for (const { organizationId, seriesUID } of forgotten)
      await db.transaction().execute((trx) => removeUnusedCommon(trx, organizationId, [seriesUID]))
    after = forgotten.at(-1)
    if (!after) return
  }
}

/** What one series meets keeps nobody from going on with the next. */
async function count(
  { log }: HeaderDependencies,
  total: { headers: number; left: number },
  { seriesUID }: SeriesKey,
  signal: AbortSignal,
  work: () => Promise<number>,
): Promise<void> {
  try {
    total.headers += await work()
  } catch (error) {
    signal.throwIfAborted()
    total.left += 1
    log.warn({ seriesUID, reason: error instanceof Error ? error.message : 'unknown' }, 'headers stay as they are')
  }
}

const toTurn = ({ organizationId }: SeriesKey): Turn => ({ customer: organizationId, person: 'headers' })

async function shortenSeries(deps: HeaderDependencies, series: WaitingSeries, signal: AbortSignal): Promise<number> {
  let shortened = 0
  let after: HeaderRow | undefined
  for (;;) {
    signal.throwIfAborted()
    const began = performance.now()
    const rows = await listHeaders(deps.db, series, 'whole', after)
    after = rows.at(-1)
    if (!after) break
    const made = await makeShort(deps, series, rows)
    if (!made) break
    if (made.changes.length > 0 && !(await commit(deps, series, made))) return shortened
    shortened += made.changes.length
    // Others have the database for as long.
    await pause(performance.now() - began, undefined, { signal })
  }
  await markGoneThrough(deps.db, series)
  return shortened
}

interface Shortened {
  readonly common: CommonHeader
  readonly changes: readonly HeaderChange[]
}

/** Undefined where they have nothing in common. */
async function makeShort(
  { db, encryption, reader }: HeaderDependencies,
  series: SeriesKey,
  rows: readonly HeaderRow[],
): Promise<Shortened | undefined> {
  const { organizationId, seriesUID } = series
  const place = toCommonPlace(organizationId, seriesUID)
  const row = await findCommonHeader(db, series)
  const known = row && row.common.length > 0 ? row : undefined
  const headers = await Promise.all(
    rows.map((row) => unsealHeader(encryption, { organizationId, sopInstanceUID: row.sop_instance_uid }, row)),
  )
  const common = known && (await encryption.unseal(place, known.common, known.key_id))
  const found = await reader.runStored('shorten', { headers, common }, { turn: toTurn(series) })
  if (!found.common) return undefined
  const dataKey = await encryption.current(organizationId)
  const sealed = { common: dataKey?.seal(place, found.common) ?? found.common, key_id: dataKey?.id ?? null }
  const changes = await Promise.all(
    rows.map(async (row, index) => {
      const header = found.shortened[index]
      return header && { row, header: await seal(encryption, series, row, header) }
    }),
  )
  return { common: known ?? sealed, changes: changes.flatMap((change) => change ?? []) }
}

/** Under the key of its row, which stays. */
async function seal(
  encryption: HeaderDependencies['encryption'],
  { organizationId }: SeriesKey,
  { sop_instance_uid: sopInstanceUID, key_id }: HeaderRow,
  header: Uint8Array,
): Promise<Uint8Array> {
  const dataKey = key_id === null ? undefined : await encryption.find(key_id)
  return sealHeader(header, { organizationId, sopInstanceUID }, dataKey)
}

/** Whether it was written; not where the series is gone, or somebody else found something in common meanwhile. */
async function commit({ db }: HeaderDependencies, series: SeriesKey, made: Shortened): Promise<boolean> {
  const { organizationId, seriesUID } = series
  return db.transaction().execute(async (trx) => {
    await waitShortly(trx)
    // Whoever deletes it waits, or has deleted it.
    const { rows } = await sql`select from series where organization_id = ${organizationId}
      and series_uid = ${seriesUID} for key share`.execute(trx)
    if (rows.length === 0 || !(await holdCommonHeader(trx, series, made.common))) return false
    await replaceHeaders(trx, 'instances', organizationId, made.changes)
    return true
  })
}

const waitShortly = (trx: Transaction<Tables>): Promise<unknown> =>
  sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(trx)

async function lengthenSeries(deps: HeaderDependencies, series: SeriesKey, signal: AbortSignal): Promise<number> {
  const { db } = deps
  let lengthened = 0
  for (const table of headerTables)
    for (;;) {
      signal.throwIfAborted()
      const began = performance.now()
      const rows = await (table === 'instances' ? listHeaders(db, series, 'short', undefined) : listBinned(db, series))
      if (rows.length === 0) break
      await lengthenRows(deps, series, table, rows)
      lengthened += rows.length
      await pause(performance.now() - began, undefined, { signal })
    }
  await db.transaction().execute((trx) => removeUnusedCommon(trx, series.organizationId, [series.seriesUID]))
  return lengthened
}

async function lengthenRows(
  { db, encryption, reader }: HeaderDependencies,
  series: SeriesKey,
  table: HeaderTable,
  rows: readonly HeaderRow[],
): Promise<void> {
  const common = await findCommonHeader(db, series)
  const joined = await Promise.all(
    rows.map((row) => openHeader(encryption, { ...series, sopInstanceUID: row.sop_instance_uid }, row, common)),
  )
  const whole = await reader.runStored('lengthen', { headers: joined }, { turn: toTurn(series) })
  const changes = await Promise.all(
    rows.map(async (row, index) => ({
      row,
      header: await seal(encryption, series, row, whole[index] ?? row.header),
    })),
  )
  await db.transaction().execute(async (trx) => {
    await waitShortly(trx)
    await replaceHeaders(trx, table, series.organizationId, changes)
  })
}
