import type { Bus } from '../../../db/bus.ts'
import { failureReason, type InstanceIdentity, type RefusedOutcome, type StoredOutcome } from '@dmp/dicom'
import type { Encryption } from '../../../outside/encryption/encryption.ts'
import type { Db } from '../../../db/client.ts'
import type { Arrivals } from '../../../core/arrivals.ts'
import type { WriteContext, Writer } from '../../../db/write.ts'
import { penaltyPoints, type Penalties } from '../../../core/penalties.ts'
import type { Turn } from '../../../core/fairTurns.ts'
import { DicomRefusal, type RefusalReason } from '../../../dicom/refusal.ts'
import { ReadingTooCostly, type ObjectReader } from '../../../dicom/objectReader.ts'
import { takeSmall, type ReadObject } from '../../../dicom/readerTasks.ts'
import { ObjectStoreError, type ObjectStore, type StagedObject } from '../../../outside/objectStore.ts'
import { rowTags, toInstanceRows, type InstanceRows } from './instanceRows.ts'
import { createObjectKey } from './objectKeys.ts'
import type { QuotaSettings } from './quota.ts'

/** Where objects go and how they came; the list shows `source` (3.12). */
export interface IncomingObject {
  readonly organizationId: string
  readonly source: string
  readonly context: WriteContext
  /** Study that the request addresses (STOW-RS); objects of any other are refused. */
  readonly onlyStudyUID?: string
  /** A copy of stored objects, which may be as heavy as those. */
  readonly isCopy?: boolean
}

/** Outcome of an object, with one of the reasons of this server. */
export type IntakeOutcome =
  | StoredOutcome
  | (RefusedOutcome & {
      readonly reason:
        | RefusalReason
        | 'CONFLICT'
        | 'OTHER_PATIENT'
        | 'SERIES_OF_OTHER_STUDY'
        | 'OTHER_STUDY'
        | 'DELETED_MEANWHILE'
        | 'QUOTA'
    })

export interface IntakeDependencies {
  readonly db: Db
  readonly write: Writer
  readonly objects: ObjectStore
  readonly encryption: Encryption
  readonly settings: QuotaSettings
  readonly reader: ObjectReader
  /** Not where the operator takes objects in. */
  readonly penalties?: Pick<Penalties, 'charge'>
  /** The same: nobody else waits there. */
  readonly arrivals?: Pick<Arrivals, 'inTurns'>
  /** The same; what a server remembers of an object it forgets after seconds. */
  readonly bus?: Pick<Bus, 'publish'>
}

/**
 * A valid object that waits for its rows to be committed. Its header is packed already, so that a group stays small.
 */
export interface PreparedObject {
  readonly staged: StagedObject
  readonly key: string
  readonly ids: InstanceIdentity
  readonly rows: InstanceRows
}

/** What one request, or a part of it, takes in at once. */
export interface IntakeRequest {
  readonly incoming: IncomingObject
  readonly group: readonly PreparedObject[]
}

const toIdentity = ({ sopClassUID, sopInstanceUID, studyUID, seriesUID }: ReadObject): InstanceIdentity => ({
  sopClassUID,
  sopInstanceUID,
  studyUID,
  seriesUID,
})

export function toRefused(cause: DicomRefusal): IntakeOutcome {
  return { kind: 'refused', reason: cause.reason, sentence: cause.message, failureCode: cause.failureCode }
}

/** The name of the machine; copies were not sent by whoever asked for them. */
export const toSender = ({ context: { viewer }, isCopy }: IncomingObject): string | null =>
  viewer?.ownerId !== undefined && isCopy !== true ? (viewer.fullName ?? null) : null

export const toTurn = ({ context: { viewer, request }, organizationId }: IncomingObject): Turn => ({
  customer: viewer?.organizationId ?? organizationId,
  person: viewer?.userId ?? request.id,
})

/** Stages and reads one object; a refused one leaves nothing behind (P12). Other faults are thrown. */
export async function prepare(
  deps: Pick<IntakeDependencies, 'objects' | 'encryption' | 'reader' | 'penalties' | 'arrivals'>,
  incoming: IncomingObject,
  content: AsyncIterable<Uint8Array> | Uint8Array,
  maxBytes: number,
): Promise<PreparedObject | IntakeOutcome> {
  const { objects, encryption, arrivals } = deps
  const dataKey = await encryption.current(incoming.organizationId)
  const paced = arrivals && !(content instanceof Uint8Array) ? arrivals.inTurns(toTurn(incoming), content) : content
  let staged: StagedObject
  try {
    staged = await objects.stage(paced, { maxBytes, dataKey })
  } catch (cause) {
    if (cause instanceof ObjectStoreError && cause.fault === 'TOO_LARGE')
      return toRefused(new DicomRefusal('TOO_LARGE', 'This file is too large.'))
    throw cause
  }
  try {
    const object = await readStaged(deps, incoming, staged)
    const ids = toIdentity(object)
    if (incoming.onlyStudyUID === undefined || object.studyUID === incoming.onlyStudyUID) {
      const key = createObjectKey(objects, incoming.organizationId, ids, staged)
      return {
        staged,
        key,
        ids,
        rows: toInstanceRows({ ...incoming, sender: toSender(incoming) }, object, staged, key, dataKey),
      }
    }
    await objects.discard([staged])
    return {
      kind: 'refused',
      reason: 'OTHER_STUDY',
      sentence: 'The object belongs to a different study.',
      failureCode: failureReason.dataSetDoesNotMatchSOPClass,
      identified: ids,
    }
  } catch (cause) {
    await objects.discard([staged])
    if (cause instanceof DicomRefusal) return toRefused(cause)
    throw cause
  }
}

/** A longer object was written, hashed and synced for nothing when it is refused, however quickly that is seen. */
const costlyBytes = 2 ** 20

/**
 * A larger one in a thread, at the turn of its sender: an object that takes too long or too much is
 * refused like a broken one.
 */
async function readStaged(
  { reader, penalties }: Pick<IntakeDependencies, 'reader' | 'penalties'>,
  incoming: IncomingObject,
  staged: StagedObject,
): Promise<ReadObject> {
  const { context, isCopy = false } = incoming
  const turn = toTurn(incoming)
  const source = await staged.open()
  let isInThread = false
  try {
    const small = await takeSmall(source, rowTags)
    if (small) return small
    isInThread = true
    const input = { tags: rowTags, isCopy }
    return await (isCopy
      ? reader.runStored('take', input, { turn, source })
      : reader.run('take', input, { turn, source }))
  } catch (cause) {
    const isRefused = cause instanceof ReadingTooCostly || cause instanceof DicomRefusal
    if (isRefused && (isInThread || staged.size > costlyBytes))
      penalties?.charge(
        { userId: turn.person, organizationId: turn.customer },
        context.request.ip,
        penaltyPoints.uselessReading,
      )
    if (cause instanceof ReadingTooCostly)
      throw new DicomRefusal('TOO_LARGE', 'Reading this object takes more time or memory than is allowed.')
    throw cause
  } finally {
    await source.close()
  }
}

export const isPrepared = (value: PreparedObject | IntakeOutcome): value is PreparedObject => 'staged' in value
