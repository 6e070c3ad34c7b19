import type { release } from '@dmp/contract'
import { rollback } from '@dmp/release/activate'
import { receivesCanary, promoteCanary, stopCanary, type Person } from '@dmp/release/canary'
import { listReleaseRefs, ReleaseRefused } from '@dmp/release/move'
import { readRegistry, readSnapshot, StoreError, Superseded, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import type { AuditEvent } from '../../db/audit.ts'
import type { Context } from '../../core/context.ts'
import type { Handlers } from '../../core/handlers.ts'
import { Refusal } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { recordObservations } from './metrics.ts'
import { readPersonCookie } from '../../identity/personCookie.ts'
import { listHistory, getStatus } from './status.ts'
import { checkForRollback } from './autoRollback.ts'

type ReleaseDependencies = Pick<Dependencies, 'db' | 'write' | 'mail' | 'log' | 'settings' | 'keys' | 'background'>

export const releaseHandlers = (deps: ReleaseDependencies, store: ReleaseStore): Handlers<typeof release> => {
  const { db, keys, write } = deps

  /** Makes a move that a person decided, together with its record. */
  const decide = async (
    context: Context,
    event: AuditEvent,
    { part, releaseId, reason }: { part: string; releaseId: string; reason?: string | undefined },
    move: (author: { by: string; from: string; reason?: string }) => Promise<unknown>,
  ): Promise<null> => {
    await write(context, async ({ audit }) => {
      await audit({ event, subject: { part, releaseId, ...(reason === undefined ? {} : { reason }) } })
      await move({ by: context.viewer.email, from: releaseId, ...(reason === undefined ? {} : { reason }) }).catch(
        refuse,
      )
    })
    return null
  }

  return {
    status: () => getStatus(db, store, deps.settings).catch(refuse),
    history: () => listHistory(store).catch(refuse),
    rollback: (input, context) =>
      decide(context, 'ReleaseRolledBack', input, (author) => rollback(store, { ...author, part: input.part })),
    promoteCanary: (input, context) =>
      decide(context, 'CanaryPromoted', input, (author) =>
        promoteCanary(store, input.part, {
          ...author,
          ...(input.percent === undefined ? {} : { percent: input.percent }),
        }),
      ),
    stopCanary: (input, context) =>
      decide(context, 'CanaryStopped', input, (author) => stopCanary(store, input.part, author)),

    // Counts only releases that this person's pages can contain, and only after a sign-in, so that strangers cannot
    // bring a release into disrepute.
    report: async ({ seen: observations }, { cookies }) => {
      const person = readPersonCookie(keys, cookies.read('dmp-audience'))
      if (person === undefined) return null
      const offeredReleases = await listOfferedReleases(store, person)
      const credibleObservations = observations.filter(({ part, releaseId }) =>
        offeredReleases.has(`${part} ${releaseId}`),
      )
      if (credibleObservations.length === 0) return null
      await recordObservations(db, credibleObservations, (releaseId) =>
        keys.digest('witness', `${person.key} ${releaseId}`),
      )
      const failedReleases = new Set(
        credibleObservations
          .filter(({ what }) => what !== 'loaded')
          .map(({ part, releaseId }) => `${part} ${releaseId}`),
      )
      for (const key of failedReleases) {
        const [name = '', releaseId = ''] = key.split(' ')
        deps.background(checkForRollback(deps, store, { name, releaseId }))
      }
      return null
    },
  }
}

/** Returns the releases, as "part releaseId", that this person's pages can contain. */
async function listOfferedReleases(store: ReleaseStore, person: Person): Promise<ReadonlySet<string>> {
  const registry = await readRegistry(store)
  if (registry === undefined) return new Set()
  const canaries = (registry.canaries ?? []).filter((canary) => receivesCanary(canary, person))
  return new Set(
    [...listReleaseRefs(await readSnapshot(store, registry.live)), ...canaries].map(
      ({ name, releaseId }) => `${name} ${releaseId}`,
    ),
  )
}

/** Turns errors of the release store into refusals. */
function refuse(error: unknown): never {
  if (error instanceof Superseded)
    throw new Refusal(
      409,
      'CHANGED_MEANWHILE',
      'Someone else changed this release. The page now shows its current state.',
    )
  if (error instanceof ReleaseRefused) throw new Refusal(409, 'DOES_NOT_FIT', error.message)
  if (error instanceof StoreError) throw new Refusal(409, 'NOT_POSSIBLE', error.message)
  throw error
}
