import { tag } from '@dmp/dicom'
import { explicitLittleEndianUID, findTransferSyntax } from '@dmp/dicom/transferSyntaxes'
import {
  AssociationOver,
  commandField,
  isTitle,
  OperationRefused,
  ProtocolFault,
  responseBit,
  status,
  type Association,
  type Command,
  type Context,
  type Message,
} from '@dmp/dimse'
import { sql } from 'kysely'
import { canDecode } from '../../dicom/sampleLayout.ts'
import { withoutMeta } from '../../dicom/withoutMeta.ts'
import { writeDataset } from '../../dicom/writeDataset.ts'
import type { Dependencies } from '../../dependencies.ts'
import { openTranscoded } from '../dicomweb/decodedFrames.ts'
import type { ReadScope, UidPath } from '../dicomweb/scope.ts'
import { hasInstances, isWithinReach, iterateInstances, type StoredInstance } from '../dicomweb/storedInstances.ts'
import type { RecordAccess } from '../scan/reading/accessAudit.ts'
import { openDestination } from './destination.ts'
import type { OpenAssociations, OpenLine } from './openAssociations.ts'
import { mostUids, readIdentifier, readLevel, readPatientId, toPaths } from './identifier.ts'
import { assertMay, openScope, spendOperations, type Peer } from './peer.ts'

export interface Retrieving {
  readonly deps: Dependencies
  readonly recordAccess: RecordAccess
  readonly open: Pick<OpenAssociations, 'beginSending'>
}

/** C-GET (PS3.4 section C.4.3): the objects come back on the association that asks. */
export async function answerGet(
  { deps, recordAccess }: Retrieving,
  peer: Peer,
  association: Association,
  message: Message,
): Promise<void> {
  const { scope, paths } = await begin(deps, recordAccess, peer, message)
  await sendAll({ deps, scope, paths, asking: association, message, sending: association, originator: {} })
}

/** C-MOVE (PS3.4 section C.4.2): to another partner of the same organization. */
export async function answerMove(
  { deps, recordAccess, open }: Retrieving,
  line: OpenLine,
  peer: Peer,
  association: Association,
  message: Message,
): Promise<void> {
  const title = message.command.moveDestination ?? ''
  if (!isTitle(title)) throw new OperationRefused(status.destinationUnknown, 'The destination is no AE title.')
  const { scope, paths } = await begin(deps, recordAccess, peer, message)
  const kinds = await listKinds(deps, scope, paths)
  const { association: sending, partner } = await openDestination(deps, peer, title, kinds)
  const end = await open.beginSending(line, sending, partner)
  try {
    const originator = { originatorTitle: peer.callingTitle, originatorMessageId: message.command.messageId }
    await sendAll({ deps, scope, paths, asking: association, message, sending, originator })
  } finally {
    end()
    await sending.release().catch(() => sending.abort())
  }
}

async function begin(deps: Dependencies, recordAccess: RecordAccess, peer: Peer, message: Message) {
  assertMay(peer, 'Retrieve')
  await spendOperations(deps, peer, 1)
  const identifier = await readIdentifier(message)
  const level = readLevel(identifier, message.context.abstractSyntax)
  const scope = await openScope(deps, peer)
  const paths =
    level.name === 'PATIENT' ? await listStudiesOf(deps, scope, readPatientId(identifier)) : toPaths(identifier, level)
  await spendOperations(deps, peer, paths.length - 1)
  // Nobody has received what is not there.
  const found: UidPath[] = []
  for (const path of paths) if (await hasInstances(deps, scope, path)) found.push(path)
  for (const { study, series, instance } of found)
    await recordAccess(peer.context, {
      event: 'ScanDownloaded',
      organizationId: scope.store.organizationId,
      subject: {
        ...(study !== undefined && { studyUID: study }),
        ...(series !== undefined && { seriesUID: series }),
        ...(instance !== undefined && { sopInstanceUID: instance }),
        ...(message.command.moveDestination !== undefined && { destination: message.command.moveDestination }),
      },
    })
  return { scope, paths: found }
}

async function listStudiesOf({ db }: Dependencies, { store }: ReadScope, patientId: string): Promise<UidPath[]> {
  const { rows } = await sql<{ study_uid: string }>`
    select study_uid from studies where organization_id = ${store.organizationId} and patient_id = ${patientId}
    order by study_uid limit ${mostUids + 1}`.execute(db)
  if (rows.length > mostUids)
    throw new OperationRefused(status.outOfResources, `The patient has more than ${mostUids} studies.`)
  return rows.map(({ study_uid: study }) => ({ study }))
}

const anyOf = (scope: ReadScope, paths: readonly UidPath[]) =>
  // A patient may have no studies.
  paths.length === 0
    ? sql`false`
    : sql.join(
        paths.map((path) => sql`(${isWithinReach(scope, path)})`),
        sql` or `,
      )

export interface Kind {
  readonly sopClassUID: string
  readonly transferSyntaxUID: string
}

/** What the objects are and how they are stored: the contexts that their receiver is asked for. */
async function listKinds({ db }: Dependencies, scope: ReadScope, paths: readonly UidPath[]): Promise<Kind[]> {
  const { rows } = await sql<{ sop_class_uid: string; transfer_syntax_uid: string }>`
    select distinct sop_class_uid, transfer_syntax_uid from instances where ${anyOf(scope, paths)}
    order by sop_class_uid, transfer_syntax_uid limit 128`.execute(db)
  return rows.map((row) => ({ sopClassUID: row.sop_class_uid, transferSyntaxUID: row.transfer_syntax_uid }))
}

async function count({ db }: Dependencies, scope: ReadScope, paths: readonly UidPath[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from instances where ${anyOf(scope, paths)}`.execute(db)
  return rows[0]?.count ?? 0
}

interface Sending {
  readonly deps: Dependencies
  readonly scope: ReadScope
  readonly paths: readonly UidPath[]
  /** Who asks, and hears how far it is. */
  readonly asking: Association
  readonly message: Message
  /** Who gets the objects. */
  readonly sending: Association
  readonly originator: Pick<Command, 'originatorTitle' | 'originatorMessageId'>
}

/** Numbers of sub-operations have 16 bits. */
const inNumber = (value: number): number => Math.min(value, 0xffff)
const mostFailedUids = 1000

async function sendAll({ deps, scope, paths, asking, message, sending, originator }: Sending): Promise<void> {
  const { context, command } = message
  let remaining = await count(deps, scope, paths)
  let completed = 0
  let warnings = 0
  const failedUids: string[] = []
  let failed = 0
  const answer = (code: number): Command => ({
    field: command.field | responseBit,
    respondedTo: command.messageId,
    sopClassUID: context.abstractSyntax,
    status: code,
    completed: inNumber(completed),
    failed: inNumber(failed),
    warnings: inNumber(warnings),
    ...((code === status.pending || code === status.cancelled) && { remaining: inNumber(Math.max(0, remaining)) }),
  })
  const failure = () => {
    if (failedUids.length === 0) return undefined
    const list = { [tag.FailedSOPInstanceUIDList]: { vr: 'UI', Value: failedUids } }
    return writeDataset(list, findTransferSyntax(context.transferSyntax) ?? { isExplicit: false, isBigEndian: false })
  }
  for (const path of paths)
    for await (const instance of iterateInstances(deps, scope, path)) {
      if (await asking.isCancelled(command.messageId ?? 0))
        return asking.send(context, answer(status.cancelled), failure())
      const result = await sendObject(deps, scope, sending, instance, originator).catch((cause: unknown) => {
        // Whoever asked is still there, and is told.
        throw sending !== asking && isOver(cause) ? hasLeft() : cause
      })
      remaining -= 1
      if (result === 'sent') completed += 1
      else if (result === 'warned') warnings += 1
      else {
        failed += 1
        if (failedUids.length < mostFailedUids) failedUids.push(instance.sop_instance_uid)
      }
      await asking.send(context, answer(status.pending))
    }
  const code = failed === 0 ? status.success : completed + warnings > 0 ? status.someFailed : status.noSubOperations
  await asking.send(context, answer(code), failure())
}

const isOver = (cause: unknown): boolean => cause instanceof AssociationOver || cause instanceof ProtocolFault
const hasLeft = (): OperationRefused =>
  new OperationRefused(status.noSubOperations, 'The receiver has left, or may get nothing any more.')

/** The context in which an object goes: as it is stored, or in explicit little endian. */
function chooseContext({ contexts }: Association, { sop_class_uid, transfer_syntax_uid }: StoredInstance) {
  const own = [...contexts.values()].filter(({ abstractSyntax }) => abstractSyntax === sop_class_uid)
  const stored = own.find(({ transferSyntax }) => transferSyntax === transfer_syntax_uid)
  if (stored) return { context: stored, isStored: true }
  const explicit = own.find(({ transferSyntax }) => transferSyntax === explicitLittleEndianUID)
  const canBeExplicit = !findTransferSyntax(transfer_syntax_uid)?.isEncapsulated || canDecode(transfer_syntax_uid)
  return explicit && canBeExplicit ? { context: explicit, isStored: false } : undefined
}

async function sendObject(
  deps: Dependencies,
  scope: ReadScope,
  sending: Association,
  instance: StoredInstance,
  originator: Sending['originator'],
): Promise<'sent' | 'warned' | 'failed'> {
  const chosen = chooseContext(sending, instance)
  if (!chosen) return 'failed'
  const data = await openData(deps, scope, instance, chosen.isStored).catch((cause: unknown) => {
    deps.log.warn({ reason: cause instanceof Error ? cause.name : 'unknown' }, 'an object was not sent to a partner')
    return undefined
  })
  if (!data) return 'failed'
  const code = await store(sending, chosen.context, instance, originator, data.bytes).finally(data.close)
  if (code === status.success) return 'sent'
  // Warnings of a store (PS3.4 table B.2-1).
  return (code & 0xf000) === 0xb000 ? 'warned' : 'failed'
}

/** A partner may leave before the first byte is read, so that reading alone would never close the object. */
interface ObjectData {
  readonly bytes: AsyncGenerator<Uint8Array>
  readonly close: () => void | Promise<void>
}

async function openData(
  deps: Dependencies,
  scope: ReadScope,
  instance: StoredInstance,
  isStored: boolean,
): Promise<ObjectData> {
  if (isStored) {
    const stored = await deps.objects.read(instance.object_key)
    return { bytes: withoutMeta(stored), close: () => void stored.destroy() }
  }
  const asker = { owner: { organizationId: scope.turn.customer, userId: scope.turn.person } }
  const transcoded = await openTranscoded(deps, instance, scope.turn, asker)
  return { bytes: withoutMeta(transcoded.bytes()), close: transcoded.close }
}

async function store(
  sending: Association,
  context: Context,
  instance: StoredInstance,
  originator: Sending['originator'],
  data: AsyncGenerator<Uint8Array>,
): Promise<number> {
  try {
    const answer = await sending.request(
      context,
      {
        field: commandField.storeRequest,
        sopClassUID: instance.sop_class_uid,
        sopInstanceUID: instance.sop_instance_uid,
        priority: 0,
        ...originator,
      },
      data,
    )
    return answer.status ?? status.processingFailure
  } catch (cause) {
    if (isOver(cause)) throw cause
    // The object ends in the middle: what comes after it could not be told from it, not even a release.
    sending.abort()
    throw new OperationRefused(status.noSubOperations, 'An object could not be read to its end.')
  }
}
