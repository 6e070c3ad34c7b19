import { limits } from '@dmp/contract'
import type { ExportReason } from '@dmp/contract/organization'
import { inTurnOf } from '../../../core/asker.ts'
import { sharedNow } from '../../../core/clock.ts'
import type { Job } from '../../../db/jobs.ts'
import type { WriteContext } from '../../../db/write.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { watchRight, type RightWatch } from '../watchRight.ts'
import { archiveBytes } from './archiveStream.ts'
import {
  addPart,
  clearExport,
  findExport,
  listParts,
  mayExport,
  moveExport,
  openStates,
  type ExportRow,
  type PartRow,
} from './export.repository.ts'
import { CannotExport, writeRecordsPart, writeSetPart } from './exportParts.ts'
import { planSets } from './planSets.ts'

/** Of different organizations; each reads one object at a time. */
const atOnce = 4
const dayMs = 86_400_000

export async function startExports(deps: Dependencies): Promise<void> {
  await deps.jobs.work('export', atOnce, (job) => runExport(deps, job))
  await deps.jobs.work('export-given-up', 1, async ({ id }) => {
    await failExport(deps, id, 'Interrupted')
    await deps.jobs.forget('export', id)
  })
}

const toContext = (id: string): WriteContext => ({ request: { id: `export ${id}`, ip: 'this server' } })

/**
 * Prepares an archive: its layout, and the bytes of it that lie nowhere else. Begun again after any stop it goes on
 * behind the last whole part. Throws when it is interrupted.
 */
export async function runExport(deps: Dependencies, { id, signal }: Job): Promise<void> {
  const row = await findExport(deps.db, id)
  if (!row || !openStates.includes(row.state)) return
  if (!(await mayExport(deps.db, row.user_id, row.organization_id))) return endForLostRight(deps, row)
  const objects = await countObjects(deps, row.organization_id)
  if (!(await moveExport(deps.db, id, openStates, { state: 'Running', objects }))) return
  const watch = watchExport(deps, row)
  try {
    const turn = { customer: row.organization_id, person: row.user_id }
    await inTurnOf(turn, () => writeArchive(deps, row, watch, AbortSignal.any([signal, watch.signal])))
  } catch (cause) {
    if (cause instanceof CannotExport) await failExport(deps, id, 'Damaged')
    else if (await isOpen(deps, id)) throw cause
    // Ended by somebody, before the last part was written.
    await clearExport(deps.db, id)
  } finally {
    await watch.close()
  }
}

const isOpen = async ({ db }: Dependencies, id: string): Promise<boolean> =>
  openStates.includes((await findExport(db, id))?.state ?? 'Ended')

async function countObjects({ db }: Dependencies, organizationId: string): Promise<number> {
  const totals = await db
    .selectFrom('scan_totals')
    .select('instances')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return Number(totals?.instances ?? 0)
}

interface ExportWatch extends RightWatch {
  done: number
}

/** Aborted once somebody has ended the export, or whoever asked for it may not have it any more. */
function watchExport(deps: Dependencies, row: ExportRow): ExportWatch {
  const progress = { done: 0 }
  const watch = watchRight(async () => {
    const goesOn = await moveExport(deps.db, row.id, ['Running'], { objects_done: progress.done })
    if (!goesOn || (await mayExport(deps.db, row.user_id, row.organization_id))) return goesOn
    await endForLostRight(deps, row)
    return false
  })
  return Object.assign(progress, watch)
}

async function writeArchive(
  deps: Dependencies,
  row: ExportRow,
  watch: ExportWatch,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps
  const { id: exportId, organization_id: organizationId } = row
  const turn = { customer: organizationId, person: row.user_id }
  const organization = await db
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  // Records are read when all scans are there, and once more where a stop came before the end.
  const parts = (await listParts(db, exportId)).filter(({ last }) => last !== undefined)
  await db
    .deleteFrom('organization_export_parts')
    .where('export_id', '=', exportId)
    .where('position', '>', parts.length)
    .execute()
  watch.done = parts.reduce((sum, { objects }) => sum + objects, 0)
  const nextWork = () => {
    const previous = parts.at(-1)
    const start = previous ? previous.start + previous.bytes : 0
    return { place: { organizationId, exportId, position: parts.length + 1 }, start, turn, signal }
  }
  for await (const set of planSets(db, organizationId, parts.at(-1)?.last)) {
    signal.throwIfAborted()
    const part = await writeSetPart(deps, nextWork(), set, () => (watch.done += 1))
    if (!part) continue
    await addPart(db, exportId, part)
    parts.push(part)
  }
  const { part, counts } = await writeRecordsPart(deps, nextWork(), organization, parts)
  signal.throwIfAborted()
  await addPart(db, exportId, part)
  await finishExport(deps, row, [...parts, part], counts)
}

/** Ready and told, or neither; the archive before it gives way. */
async function finishExport(
  deps: Dependencies,
  { id, organization_id: organizationId }: ExportRow,
  parts: readonly PartRow[],
  counts: Record<string, number>,
): Promise<void> {
  const previous = await deps.write(toContext(id), async ({ trx, audit, announce }) => {
    const readyDate = new Date(sharedNow())
    const objects = counts.objects ?? 0
    const isReady = await moveExport(trx, id, ['Running'], {
      state: 'Ready',
      objects,
      objects_done: objects,
      archive_bytes: archiveBytes({ parts }),
      ready_date: readyDate,
      expires_date: new Date(readyDate.getTime() + limits.exportDays * dayMs),
    })
    if (!isReady) throw new Error('The export was ended.')
    const replaced = await trx
      .updateTable('organization_exports')
      .set({ state: 'Ended', reason: 'Replaced' })
      .where('organization_id', '=', organizationId)
      .where('state', '=', 'Ready')
      .where('id', '!=', id)
      .returning('id')
      .execute()
    const exportIds = replaced.map((other) => other.id)
    if (exportIds.length > 0) await announce({ kind: 'exportsEnded', exportIds })
    await audit({ event: 'OrganizationExported', organizationId, subject: { exportId: id, state: 'whole', ...counts } })
    return exportIds
  })
  for (const exportId of previous) await clearExport(deps.db, exportId)
}

/** What was wrong is said to whoever looks, and in the audit trail. */
export async function failExport(deps: Dependencies, id: string, reason: ExportReason): Promise<void> {
  await endBy(deps, id, 'Failed', reason)
}

const endForLostRight = (deps: Dependencies, { id }: ExportRow): Promise<void> => endBy(deps, id, 'Ended', 'RightLost')

async function endBy(deps: Dependencies, id: string, state: 'Failed' | 'Ended', reason: ExportReason): Promise<void> {
  const row = await findExport(deps.db, id)
  if (!row || !(await changeState(deps, row, state, reason))) return
  await clearExport(deps.db, id)
}

const changeState = (
  deps: Dependencies,
  { id, organization_id: organizationId }: ExportRow,
  state: 'Failed' | 'Ended',
  reason: ExportReason,
): Promise<boolean> =>
  deps.write(toContext(id), async ({ trx, audit, announce }) => {
    const isChanged = await moveExport(trx, id, [...openStates, 'Ready'], { state, reason })
    if (isChanged) await announce({ kind: 'exportsEnded', exportIds: [id] })
    const subject = { exportId: id, state: isChanged ? state.toLowerCase() : 'over' }
    await audit({ event: 'OrganizationExported', organizationId, subject })
    return isChanged
  })
