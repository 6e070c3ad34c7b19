import type { release } from '@dmp/contract'
import { rollback } from '@dmp/release/activate'
import { gets, promoteCanary, stopCanary, type Person } from '@dmp/release/canary'
import { partsOf, Refused } from '@dmp/release/move'
import { readRegistry, readSnapshot, StoreError, Superseded, type Store } from '@dmp/release/store'
import type { AuditEvent } from '../../db/audit.ts'
import type { Context } from '../../core/context.ts'
import type { Handlers } from '../../core/handlers.ts'
import { Refusal } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { count } from './metrics.ts'
import { readAudienceCookie } from '../../identity/canaryAudience.ts'
import { listHistory, getStatus } from './status.ts'
import { checkForRollback } from './autoRollback.ts'

type Needs = Pick<Dependencies, 'db' | 'write' | 'mail' | 'log' | 'settings' | 'keys' | 'background'>

export const releaseHandlers = (deps: Needs, store: Store): Handlers<typeof release> => {
  const { db, keys, write } = deps

  /** A move that a person decides: recorded, or not done. */
  const moved = async (
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
      moved(context, 'ReleaseRolledBack', input, (author) => rollback(store, { ...author, part: input.part })),
    promoteCanary: (input, context) =>
      moved(context, 'CanaryPromoted', input, (author) =>
        promoteCanary(store, input.part, {
          ...author,
          ...(input.percent === undefined ? {} : { percent: input.percent }),
        }),
      ),
    stopCanary: (input, context) =>
      moved(context, 'CanaryStopped', input, (author) => stopCanary(store, input.part, author)),

    // Only what this person's pages can be made of counts, and only where somebody signed in: strangers cannot talk a
    // release down.
    report: async ({ seen }, { cookies }) => {
      const person = readAudienceCookie(keys, cookies.read('dmp-audience'))
      const offered = person && (await offeredTo(store, person))
      const known =
        offered === undefined ? [] : seen.filter(({ part, releaseId }) => offered.has(`${part} ${releaseId}`))
      if (person === undefined || known.length === 0) return null
      await count(db, known, (releaseId) => keys.digest('witness', `${person.key} ${releaseId}`))
      for (const key of new Set(
        known.filter(({ what }) => what !== 'loaded').map(({ part, releaseId }) => `${part} ${releaseId}`),
      )) {
        const [name = '', releaseId = ''] = key.split(' ')
        deps.background(checkForRollback(deps, store, { name, releaseId }))
      }
      return null
    },
  }
}

async function offeredTo(store: Store, person: Person): Promise<ReadonlySet<string>> {
  const registry = await readRegistry(store)
  if (registry === undefined) return new Set()
  const canaries = (registry.canaries ?? []).filter((canary) => gets(canary, person))
  return new Set(
    [...partsOf(await readSnapshot(store, registry.live)), ...canaries].map(
      ({ name, releaseId }) => `${name} ${releaseId}`,
    ),
  )
}

/** What the store says to a person in front of a screen. */
function refuse(error: unknown): never {
  if (error instanceof Superseded)
    throw new Refusal(
      409,
      'CHANGED_MEANWHILE',
      'Somebody decided on this release meanwhile. What is shown now is how it is.',
    )
  if (error instanceof Refused) throw new Refusal(409, 'DOES_NOT_FIT', error.message)
  if (error instanceof StoreError) throw new Refusal(409, 'NOT_POSSIBLE', error.message)
  throw error
}
