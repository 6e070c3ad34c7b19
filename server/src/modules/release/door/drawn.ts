import type { release } from '@dmp/contract'
import { addBrought, isThere, judgeBrought } from '@dmp/release/drawn/drawnDocument'
import { listWentLive } from '@dmp/release/moveHistory'
import { readRelease, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import { Refusal } from '../../../core/errors.ts'
import type { Handlers } from '../../../core/handlers.ts'
import { createRefuse } from '../refuseStore.ts'
import type { ReleaseDependencies } from '../reports.ts'
import { assertMayPart } from './assertMayPart.ts'
import { readLive } from './judge.ts'

/** Public pages come drawn by the team's own machine: this server runs no code of a release. */
export const drawnHandlers = (
  deps: ReleaseDependencies,
  store: ReleaseStore,
): Pick<Handlers<typeof release>, 'getHost' | 'addDrawn'> => {
  const refuseStore = createRefuse(store)
  return {
    getHost: async ({ part }, { viewer }) => {
      assertMayPart(viewer, part)
      const { host } = await readLive(store).catch(refuseStore)
      return readRelease(store, host.name, host.releaseId).catch(refuseStore)
    },

    addDrawn: async ({ part, releaseId, envelope }, context) => {
      assertMayPart(context.viewer, part)
      const of = await readRelease(store, part, releaseId).catch(refuseStore)
      const { host } = await readLive(store).catch(refuseStore)
      const judged = await judgeBrought(store, of, host.releaseId, Buffer.from(envelope)).catch(refuseStore)
      if (typeof judged === 'string') throw new Refusal(400, 'INVALID', judged)
      if (await isThere(store, judged)) return null
      // What people see of a release changes with who may make it live, not with who may bring one; and what they had
      // comes back, where somebody goes back to it, as it was.
      if ((await listWentLive(store, part).catch(refuseStore)).includes(releaseId))
        throw new Refusal(409, 'NOT_POSSIBLE', `People had ${part} ${releaseId} already. Bring pages before that.`)
      await deps.write(context, async ({ audit }) => {
        await audit({ event: 'ReleasePagesDrawn', subject: { part, releaseId, host: judged.drawn.host } })
        await addBrought(store, judged)
      })
      return null
    },
  }
}
