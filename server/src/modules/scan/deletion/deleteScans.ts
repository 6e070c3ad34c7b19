import type { Transaction } from 'kysely'
import type { Tables } from '../../../db/tables/index.ts'
import type { WriteContext } from '../../../db/write.ts'
import { Refusal } from '../../../core/errors.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { removeObjects } from '../intake/objectRecovery.ts'
import { toDeleter } from './bin.repository.ts'
import type { Deleted, Deletion } from './deletion.repository.ts'
import { toAsker } from './holds.repository.ts'

/**
 * Deletes scans, whoever asks: gone for viewers with the commit; recorded with their studies, told to programs and to
 * open pages. Their bytes lie in the bin for some days; where the deletion is final, they are gone with the answer.
 */
export async function deleteScans(
  deps: Dependencies,
  context: WriteContext,
  organizationId: string,
  act: (trx: Transaction<Tables>, deletion: Deletion) => Promise<Deleted>,
  { isFinal = false, ...about }: About = {},
): Promise<void> {
  const deleter = isFinal ? null : toDeleter(deps, context)
  await deps.write(context, async ({ trx, audit, tell, announce }) => {
    const { series, studies, instances, shareIds, changes } = await act(trx, { asker: toAsker(context), deleter })
    await audit({ event: 'ScansDeleted', organizationId, subject: { series, studies, instances, ...about } })
    await tell(organizationId, changes)
    await announce({ kind: 'scansChanged', organizationId })
    await announce({ kind: 'sharesChanged', shareIds })
  })
  await removeDeletedObjects(deps)
}

interface About {
  readonly sopInstanceUID?: string
  readonly reason?: string
  /** Nobody can miss it: not even an administrator takes it back. */
  readonly isFinal?: boolean
}

export function assertRemovable({ objects }: Pick<Dependencies, 'objects'>): void {
  if (!objects.canRemove)
    throw new Refusal(
      409,
      'ARCHIVE_KEEPS',
      'These scans are kept in an archive that this product may not delete from. Ask the archive’s administrator.',
    )
}

export async function removeDeletedObjects({ db, objects, log }: Dependencies): Promise<void> {
  try {
    await removeObjects(db, objects)
  } catch (cause) {
    // The removals stay listed; the next deletion or start works them off.
    log.error(
      { reason: cause instanceof Error ? cause.message : 'unknown' },
      'objects of deleted scans are still to be removed',
    )
  }
}
