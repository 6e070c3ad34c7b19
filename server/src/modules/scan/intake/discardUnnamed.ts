import { lockChain } from '../../../db/audit.ts'
import type { IntakeDependencies, PreparedObject } from './intake.ts'
import { listCommittedKeys } from './objectKeys.ts'

type Settling = Pick<IntakeDependencies, 'db' | 'objects'>

/** A transaction may have carried it, or carries it still. */
const isIntended = ({ staged }: PreparedObject): boolean => staged.key !== undefined

/**
 * The keys that rows name, for certain. Where the line to the database breaks, its transaction may still be about to be
 * committed: it holds the lock of the audit chain from its last statements on, so that whoever gets the lock afterwards
 * sees what became of it. Throws when that cannot be told.
 */
export async function listNamedKeys(
  { db }: Pick<Settling, 'db'>,
  organizationId: string,
  group: readonly PreparedObject[],
): Promise<ReadonlySet<string>> {
  const keys = group.filter(isIntended).map(({ key }) => key)
  if (keys.length === 0) return new Set()
  return db.transaction().execute(async (trx) => {
    await lockChain(trx, organizationId)
    return listCommittedKeys(trx, keys)
  })
}

/**
 * Ends a group that failed: objects that rows name are kept, all others are discarded. What cannot be told of now stays
 * as it is, and `recoverObjects` will do it.
 */
export async function discardUnnamed(
  deps: Settling,
  organizationId: string,
  group: readonly PreparedObject[],
): Promise<void> {
  const toStaged = (objects: readonly PreparedObject[]) => objects.map(({ staged }) => staged)
  await deps.objects.discard(toStaged(group.filter((object) => !isIntended(object))))
  const intended = group.filter(isIntended)
  const named = await listNamedKeys(deps, organizationId, intended).catch(() => undefined)
  if (named === undefined) return
  await deps.objects.keep(toStaged(intended.filter(({ key }) => named.has(key))))
  await deps.objects.discard(toStaged(intended.filter(({ key }) => !named.has(key))))
}
