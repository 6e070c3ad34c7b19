import type { scan } from '@dmp/contract'
import { sql } from 'kysely'
import type { Context } from '../../../core/context.ts'
import { notFound, Refusal } from '../../../core/errors.ts'
import type { Turn } from '../../../core/fairTurns.ts'
import type { Handler } from '../../../core/handlers.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { NoPicture, TooManyPictures } from '../../../dicom/noPicture.ts'
import type { PictureSize } from '../../../dicom/pictureFrame.ts'
import { readingLimits } from '../../../dicom/limits.ts'
import { loadHeaders, withHeaderMemory } from '../intake/sealedHeaders.ts'
import { createAccessAudit } from '../reading/accessAudit.ts'
import { drawInstance } from '../reading/thumbnails.ts'
import { getDatastore, refuseDeactivated } from '../scan.repository.ts'
import { findProblem } from './decision.ts'
import { findRevision, listHeldPictures, type HeldPicture } from './heldPictures.ts'
import {
  addLook,
  decide,
  getHold,
  listLooks,
  listWaiting,
  saveChoice,
  toHeldScan,
  type Hold,
} from './holds.repository.ts'

interface HeldHandlers {
  readonly listHeld: Handler<typeof scan.listHeld>
  readonly getHeld: Handler<typeof scan.getHeld>
  readonly getHeldPicture: Handler<typeof scan.getHeldPicture>
  readonly saveHeldChoice: Handler<typeof scan.saveHeldChoice>
  readonly decideHeld: Handler<typeof scan.decideHeld>
}

/** Large enough that small letters can be read. */
const pictureSize: PictureSize = { width: 1600, height: 1600 }
const quality = 90

/** Pictures that wait until somebody has looked at them (docs/decisions/0061-burned-in-text.md). */
export function heldHandlers(deps: Dependencies): HeldHandlers {
  const { db } = deps
  const recordAccess = createAccessAudit(deps)
  const view = (context: Context, hold: Hold): Promise<void> =>
    recordAccess(context, {
      event: 'ScanViewed',
      organizationId: hold.organization_id,
      subject: { seriesUID: hold.series_uid, studyUID: hold.study_uid, holdId: hold.id },
    })
  return {
    async listHeld(input, context) {
      const { organizationId } = await getDatastore(db, context.viewer, input.organizationId)
      // The rows name patients.
      await recordAccess(context, {
        event: 'ScansQueried',
        organizationId,
        subject: { page: input.page ?? null, isSearch: Boolean(input.search), list: 'held' },
      })
      return listWaiting(db, organizationId, input)
    },

    async getHeld({ id }, context) {
      const hold = await getWaiting(deps, context, id)
      await view(context, hold)
      const pictures = await listPictures(deps, context, hold)
      const looks = await listLooks(db, id)
      return {
        ...toHeldScan(hold),
        pictures: pictures.length,
        revision: findRevision(pictures),
        heldPictures: pictures.map(({ sha256, ...picture }) => ({ ...picture, isSeen: looks.has(sha256) })),
        ...hold.choice,
      }
    },

    async getHeldPicture(input, context) {
      const hold = await getWaiting(deps, context, input.id)
      await view(context, hold)
      return lookAt(deps, context, hold, input)
    },

    async saveHeldChoice({ id, masks, leftOut }, context) {
      await getWaiting(deps, context, id)
      await db.transaction().execute((trx) => saveChoice(trx, id, { masks, leftOut }))
      return null
    },

    decideHeld: (input, context) => decideHeld(deps, input, context),
  }
}

async function getWaiting({ db }: Dependencies, { viewer }: Context, id: string): Promise<Hold> {
  const hold = await getHold(db, viewer, id)
  if (hold.state !== 'Held' || hold.decided_date !== null) throw alreadyDecided()
  return hold
}

const alreadyDecided = (): Refusal =>
  new Refusal(409, 'ALREADY_DECIDED', 'Somebody has decided about these pictures already.')

async function listPictures(deps: Dependencies, { viewer }: Context, hold: Hold): Promise<HeldPicture[]> {
  const turn: Turn = { customer: hold.organization_id, person: viewer.userId }
  const reservation = await deps.memory.reserve(turn, readingLimits.headersBytes)
  try {
    return await listHeldPictures(deps, hold.organization_id, hold.series_uid, turn)
  } finally {
    reservation.release()
  }
}

async function lookAt(
  deps: Dependencies,
  { viewer }: Context,
  hold: Hold,
  { instanceUID, frame, values }: Parameters<HeldHandlers['getHeldPicture']>[0],
): ReturnType<HeldHandlers['getHeldPicture']> {
  const instance = await deps.db
    .selectFrom('instances')
    .select(['object_key', 'transfer_syntax_uid', 'sha256', 'images'])
    .select(sql<number>`octet_length(header)`.as('header_bytes'))
    .where('organization_id', '=', hold.organization_id)
    .where('series_uid', '=', hold.series_uid)
    .where('sop_instance_uid', '=', instanceUID)
    .executeTakeFirst()
  // A frame that is not there is no look at the picture.
  if (!instance || frame > Math.max(1, instance.images)) throw notFound()
  const owner = { organizationId: hold.organization_id, userId: viewer.userId }
  const look = { quality, ...(values === 'all' && { allValues: true }) }
  const seen = { holdId: hold.id, sha256: instance.sha256, userId: viewer.userId }
  try {
    const turn: Turn = { customer: owner.organizationId, person: owner.userId }
    const image = await withHeaderMemory(deps.memory, turn, instance.header_bytes, async () => {
      const header = (await loadHeaders(deps, hold.organization_id, [instanceUID])).get(instanceUID)
      if (!header) throw notFound()
      return drawInstance(deps, { ...instance, header }, pictureSize, { owner }, frame, look)
    })
    await addLook(deps.db, { ...seen, isShown: true })
    return { picture: `data:image/jpeg;base64,${image.toString('base64')}`, problem: null }
  } catch (cause) {
    if (cause instanceof TooManyPictures) throw new Refusal(503, 'TOO_MANY', cause.message, undefined, 5)
    if (!(cause instanceof NoPicture)) throw cause
    await addLook(deps.db, { ...seen, isShown: false })
    return { picture: null, problem: cause.message }
  }
}

/** The same person decides the same once more: the answer to the first time was lost. */
async function isSameDecision(
  { db }: Dependencies,
  { id, decision, revision }: Parameters<HeldHandlers['decideHeld']>[0],
  { viewer }: Context,
): Promise<boolean> {
  const hold = await getHold(db, viewer, id)
  return hold.decided_by === viewer.userId && hold.decision === decision && hold.revision === revision
}

async function decideHeld(
  deps: Dependencies,
  input: Parameters<HeldHandlers['decideHeld']>[0],
  context: Context,
): Promise<null> {
  const { id, decision, masks, leftOut } = input
  if (await isSameDecision(deps, input, context)) return null
  const hold = await getWaiting(deps, context, id)
  if (decision === 'Send') refuseDeactivated(await getDatastore(deps.db, context.viewer, hold.organization_id))
  const pictures = await listPictures(deps, context, hold)
  const problem = findProblem(input, pictures, await listLooks(deps.db, id))
  if (problem) throw problem
  const choice = { masks: masks.filter(({ rectangles }) => rectangles.length > 0), leftOut }
  try {
    await deps.write(context, async ({ trx, audit }) => {
      const made = { decision, choice, revision: findRevision(pictures), userId: context.viewer.userId }
      const jobId = await decide(trx, id, made)
      if (jobId === undefined) throw alreadyDecided()
      await deps.jobs.add(trx, 'held-scan', [{ id: jobId, group: hold.organization_id }])
      await audit({
        event: 'HeldScansDecided',
        organizationId: hold.organization_id,
        subject: {
          holdId: id,
          transferId: hold.transfer_id,
          seriesUID: hold.series_uid,
          decision,
          pictures: pictures.length,
          rectangles: choice.masks.reduce((sum, { rectangles }) => sum + rectangles.length, 0),
          leftOut: leftOut.length,
        },
      })
    })
  } catch (cause) {
    // Of two that were sent at once, a double click, the second one waited here for the first.
    if (await isSameDecision(deps, input, context)) return null
    throw cause
  }
  deps.jobs.wake('held-scan')
  return null
}
