import type { scan } from '@dmp/contract'
import { sampleSource } from '@dmp/contract/scan'
import { sharedDate } from '../../../core/clock.ts'
import { Refusal } from '../../../core/errors.ts'
import type { Handlers } from '../../../core/handlers.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { assertRemovable, deleteScans } from '../deletion/deleteScans.ts'
import { deleteSeries } from '../deletion/deletion.repository.ts'
import { commit } from '../intake/commit.ts'
import { isPrepared, prepare, type IncomingObject, type PreparedObject } from '../intake/intake.ts'
import { assertRoom } from '../intake/quota.ts'
import { assertDatastore, getDatastore, refuseDeactivated } from '../scan.repository.ts'
import { createSlice, slices } from './phantom.ts'
import { createSampleUids, findSample } from './sample.repository.ts'

const maxBytes = 2 ** 16

/** The sample takes the way of every upload, so what works with it works with a real study. */
export const sampleHandlers = (deps: Dependencies): Pick<Handlers<typeof scan>, 'addSample' | 'removeSample'> => ({
  addSample: async (input, context) => {
    const store = await getDatastore(deps.db, context.viewer, input.organizationId)
    refuseDeactivated(store)
    assertDatastore(store)
    const { organizationId } = store
    const known = await findSample(deps.db, organizationId)
    if (known) return known
    await assertRoom(deps, organizationId, slices * maxBytes)
    const incoming: IncomingObject = { organizationId, source: sampleSource, context }
    const outcomes = await commit(deps, incoming, await prepareSlices(deps, incoming))
    const refused = outcomes.find(({ kind }) => kind === 'refused')
    if (refused?.kind === 'refused') throw new Refusal(409, refused.reason, refused.sentence)
    const toUid = createSampleUids(organizationId)
    return { studyUID: toUid('study'), seriesUID: toUid('series') }
  },

  removeSample: async (input, context) => {
    const { organizationId } = await getDatastore(deps.db, context.viewer, input.organizationId)
    const sample = await findSample(deps.db, organizationId)
    if (!sample) return null
    assertRemovable(deps)
    await deleteScans(
      deps,
      context,
      organizationId,
      (trx, deletion) => deleteSeries(trx, organizationId, [sample.seriesUID], deletion),
      { reason: 'sample', isFinal: true },
    )
    return null
  },
})

async function prepareSlices(deps: Dependencies, incoming: IncomingObject): Promise<PreparedObject[]> {
  const toUid = createSampleUids(incoming.organizationId)
  const date = sharedDate().toISOString().slice(0, 10).replaceAll('-', '')
  const group: PreparedObject[] = []
  try {
    // One after the other: drawing takes the thread of everybody's requests.
    for (let index = 0; index < slices; index += 1) {
      const prepared = await prepare(deps, incoming, createSlice(index, toUid, date), maxBytes)
      if (!isPrepared(prepared)) throw new Error('A slice of the sample was refused.')
      group.push(prepared)
    }
  } catch (cause) {
    await deps.objects.discard(group.map(({ staged }) => staged))
    throw cause
  }
  return group
}
