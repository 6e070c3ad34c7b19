import { may } from '@dmp/contract'
import type { ImportReason, ImportState } from '@dmp/contract/organization'
import { inTurnOf } from '../../../core/asker.ts'
import type { WriteContext } from '../../../db/write.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { mayUse } from '../export/export.repository.ts'
import { oneAtATime } from '../oneAtATime.ts'
import { watchRight, type RightWatch } from '../watchRight.ts'
import { ArchiveFault } from './archiveReader.ts'
import { findImport, listIdle, moveImport, openStates, type ImportRow } from './import.repository.ts'
import type { ImportFiles } from './importFiles.ts'
import { takeArchive, type ImportProgress } from './takeArchive.ts'

/** An archive that ends the server each time is not tried for ever. */
export const mostTries = 50

export const mayImport = (deps: Pick<Dependencies, 'db'>, row: Pick<ImportRow, 'user_id' | 'organization_id'>) =>
  mayUse(deps.db, row.user_id, row.organization_id, may('Organization', 'Import'))

const toContext = (id: string): WriteContext => ({ request: { id: `import ${id}`, ip: 'this server' } })

/** Somebody has ended it meanwhile. */
class Over extends Error {}

/**
 * Takes in an archive that has arrived. Begun again after any stop it goes on behind what it has told last; what it had
 * stored since then is there already. Throws when it is interrupted.
 */
export async function runImport(
  deps: Dependencies,
  files: ImportFiles,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const row = await findImport(deps.db, id)
  if (!row || !['Waiting', 'Running'].includes(row.state)) return
  if (!(await mayImport(deps, row))) return endImportBy(deps, files, row, 'Ended', 'RightLost')
  if (row.tries >= mostTries) return endImportBy(deps, files, row, 'Failed', 'Interrupted')
  const store = await deps.db
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where('id', '=', row.organization_id)
    .executeTakeFirstOrThrow()
  await oneAtATime(deps.database, store, signal, async (mayGoOn) => {
    const begun = { state: 'Running', tries: row.tries + 1, alive_date: new Date() } as const
    if (!(await moveImport(deps.db, id, ['Waiting', 'Running'], begun))) return
    const watch = watchImport(deps, files, row)
    const progress: ImportProgress = { sets: row.sets_done, files: row.files_done, result: row.result }
    const turn = { customer: row.organization_id, person: row.user_id }
    try {
      const place = await files.open(row)
      const save = (now: ImportProgress): Promise<void> => saveProgress(deps, row, now)
      const all = AbortSignal.any([mayGoOn, watch.signal])
      const work = { place, store, importId: id, context: toContext(id), signal: all, progress, save }
      await inTurnOf(turn, () => takeArchive(deps, work))
      await finishImport(deps, files, row, progress)
    } catch (cause) {
      if (cause instanceof ArchiveFault) await endImportBy(deps, files, row, 'Failed', cause.reason, cause.files)
      else if (await isOpen(deps, id)) throw cause
    } finally {
      await watch.close()
    }
  })
}

const isOpen = async ({ db }: Dependencies, id: string): Promise<boolean> =>
  openStates.includes((await findImport(db, id))?.state ?? 'Ended')

async function saveProgress(
  { db }: Dependencies,
  { id, sets_done, files_done }: ImportRow,
  { sets, files, result }: ImportProgress,
): Promise<void> {
  // Who gets on has not been tried in vain.
  const isFurther = sets > sets_done || files > files_done
  const values = {
    sets_done: sets,
    files_done: files,
    result: JSON.stringify(result),
    alive_date: new Date(),
    ...(isFurther && { tries: 0 }),
  }
  if (!(await moveImport(db, id, ['Running'], values))) throw new Over()
}

/** Aborted once somebody has ended the import, or whoever asked for it may not any more. */
function watchImport(deps: Dependencies, files: ImportFiles, row: ImportRow): RightWatch {
  return watchRight(async () => {
    const goesOn = await moveImport(deps.db, row.id, ['Running'], { alive_date: new Date() })
    if (!goesOn || (await mayImport(deps, row))) return goesOn
    await endImportBy(deps, files, row, 'Ended', 'RightLost')
    return false
  })
}

/** Over and told, or neither. */
async function finishImport(
  deps: Dependencies,
  files: ImportFiles,
  row: ImportRow,
  { result }: ImportProgress,
): Promise<void> {
  const { from, objects, stored, present, refused } = result
  const counts = { from, objects, stored, present, refused }
  await changeState(deps, row, { state: 'Done', reason: null, files: [] }, { state: 'whole', ...counts })
  await files.remove(row)
}

/** Why is said to whoever looks, and in the audit trail. */
export async function endImportBy(
  deps: Dependencies,
  files: ImportFiles,
  row: ImportRow,
  state: 'Failed' | 'Ended',
  reason: ImportReason,
  named: readonly string[] = [],
): Promise<void> {
  await changeState(deps, row, { state, reason, files: named }, { state: state.toLowerCase(), reason })
  await files.remove(row)
}

/** Gives up what nobody has gone on with for some days, wherever its archive lies. */
export async function endIdleImports(deps: Dependencies, files: ImportFiles): Promise<void> {
  for (const row of await listIdle(deps.db)) {
    const isUploaded = row.state !== 'Uploading'
    const end = isUploaded ? ({ state: 'Failed', reason: 'Interrupted' } as const) : { state: 'Expired' as const }
    try {
      await deps.write(toContext(row.id), async ({ trx, audit, announce }) => {
        const values = { ...end, ended_date: new Date() }
        if (!(await moveImport(trx, row.id, [row.state], values, { hasToBeIdle: true }))) throw new Over()
        await announce({ kind: 'importsEnded', importIds: [row.id] })
        const subject = { importId: row.id, ...end, state: end.state.toLowerCase() }
        await audit({ event: 'OrganizationImported', organizationId: row.organization_id, subject })
      })
      await files.remove(row)
    } catch (cause) {
      if (!(cause instanceof Over)) throw cause
    }
  }
}

interface End {
  readonly state: ImportState
  readonly reason: ImportReason | null
  readonly files: readonly string[]
}

const changeState = (
  deps: Dependencies,
  { id, organization_id: organizationId }: ImportRow,
  { state, reason, files }: End,
  subject: Readonly<Record<string, unknown>>,
): Promise<void> =>
  deps.write(toContext(id), async ({ trx, audit, announce }) => {
    const now = await findImport(trx, id)
    const result = JSON.stringify({ ...now?.result, files })
    const isChanged = await moveImport(trx, id, openStates, { state, reason, ended_date: new Date(), result })
    if (isChanged) await announce({ kind: 'importsEnded', importIds: [id] })
    const told = isChanged ? subject : { state: 'over' }
    await audit({ event: 'OrganizationImported', organizationId, subject: { importId: id, ...told } })
  })
