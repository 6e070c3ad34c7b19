import type { release } from '@dmp/contract'
import { rollback } from '@dmp/release/activate'
import { promoteCanary, stopCanary } from '@dmp/release/canary'
import { endKeeping, keepRelease } from '@dmp/release/kept'
import { listReleaseRefs } from '@dmp/release/move'
import { ReleaseRefused } from '@dmp/release/ReleaseRefused'
import { readRegistry, readSnapshot, StoreError, Superseded, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import type { AuditEvent } from '../../db/audit.ts'
import type { Context } from '../../core/context.ts'
import type { Handlers } from '../../core/handlers.ts'
import { Refusal } from '../../core/errors.ts'
import { reportHandler, type ReleaseDependencies } from './reports.ts'
import { roundHandlers } from './rounds.ts'
import { listHistory, getStatus } from './status.ts'

export const releaseHandlers = (deps: ReleaseDependencies, store: ReleaseStore): Handlers<typeof release> => {
  const { db, write } = deps

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

    keep: async (input, context) => {
      const { part: name, releaseId, isKept } = input
      return decide(context, isKept ? 'ReleaseKept' : 'ReleaseNoLongerKept', input, async (author) => {
        await assertOffered(store, name, releaseId)
        await (isKept ? keepRelease(store, { name, releaseId }, author) : endKeeping(store, { name, releaseId }))
      })
    },

    report: reportHandler(deps, store),
    ...roundHandlers(deps, store),
  }
}

/** Throws where the release is neither live nor a canary: somebody was faster. */
async function assertOffered(store: ReleaseStore, part: string, releaseId: string): Promise<void> {
  const registry = await readRegistry(store)
  const offered = registry
    ? [...listReleaseRefs(await readSnapshot(store, registry.live)), ...(registry.canaries ?? [])]
    : []
  if (!offered.some((ref) => ref.name === part && ref.releaseId === releaseId))
    throw new Superseded(`Release ${releaseId} of ${part} is neither live nor a canary.`)
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
