import { isUid, tag } from '@dmp/dicom'
import type { Dependencies } from '../../dependencies.ts'
import { items, text } from '../../dicom/attributes.ts'
import type { JsonDataset } from '../../dicom/jsonModel.ts'
import { explicitLittleEndianUID, findTransferSyntax } from '../../dicom/transferSyntaxes.ts'
import { writeDataset } from '../../dicom/writeDataset.ts'
import type { Association, Context, Message } from '../../outside/dimse/association.ts'
import { commandField, responseBit } from '../../outside/dimse/commands.ts'
import { AssociationOver } from '../../outside/dimse/faults.ts'
import { proposeTo } from './destination.ts'
import { readIdentifier } from './identifier.ts'
import { assertMay, openScope, type Peer } from './peer.ts'
import { storageCommitment, storageCommitmentInstance } from './presentation.ts'
import { OperationRefused, status } from './statuses.ts'

const requestAction = 1
const mostReferences = 10_000

interface Reference {
  readonly sopClassUID: string
  readonly sopInstanceUID: string
}

/**
 * Storage commitment (PS3.4 annex J). What is stored was synced before its C-STORE was answered, so the report follows
 * the request at once: on the same association, or on a new one where the partner has ended it.
 */
export async function answerAction(
  deps: Dependencies,
  peer: Peer,
  association: Association,
  message: Message,
): Promise<void> {
  const { context, command } = message
  const identifier = await readIdentifier(message)
  assertMay(peer, 'Store')
  if (command.actionType !== requestAction || command.requestedSopInstanceUID !== storageCommitmentInstance)
    throw new OperationRefused(status.invalidArgument, 'This is no request for storage commitment.')
  const transactionUID = text(identifier, tag.TransactionUID) ?? ''
  const references = items(identifier, tag.ReferencedSOPSequence).map((item) => ({
    sopClassUID: text(item, tag.ReferencedSOPClassUID) ?? '',
    sopInstanceUID: text(item, tag.ReferencedSOPInstanceUID) ?? '',
  }))
  if (!isUid(transactionUID) || references.length === 0 || references.length > mostReferences)
    throw new OperationRefused(status.invalidArgument, 'The request has no transaction, or no objects, or too many.')
  const report = await judge(deps, peer, transactionUID, references)
  await association.send(context, {
    field: commandField.actionRequest | responseBit,
    respondedTo: command.messageId,
    sopClassUID: storageCommitment,
    sopInstanceUID: storageCommitmentInstance,
    actionType: requestAction,
    status: status.success,
  })
  try {
    await send(association, context, report)
  } catch (cause) {
    if (!(cause instanceof AssociationOver)) throw cause
    if (peer.partner.host !== null) deps.background(reportAnew(deps, peer, report))
    throw cause
  }
}

/** What the server answers for: the rows are there, and the store has the bytes. */
async function judge(
  deps: Dependencies,
  peer: Peer,
  transactionUID: string,
  references: readonly Reference[],
): Promise<JsonDataset> {
  const { store } = await openScope(deps, peer)
  const rows = await deps.db
    .selectFrom('instances')
    .select(['sop_instance_uid', 'sop_class_uid', 'object_key', 'byte_size'])
    .where('organization_id', '=', store.organizationId)
    .where('sop_instance_uid', 'in', [...new Set(references.map(({ sopInstanceUID }) => sopInstanceUID))])
    .execute()
  const stored = new Map(rows.map((row) => [row.sop_instance_uid, row]))
  const kept: JsonDataset[] = []
  const failed: JsonDataset[] = []
  for (const reference of references) {
    const row = stored.get(reference.sopInstanceUID)
    const isThere = row !== undefined && (await deps.objects.holds(row.object_key, Number(row.byte_size)))
    const item = {
      [tag.ReferencedSOPClassUID]: { vr: 'UI', Value: [reference.sopClassUID] },
      [tag.ReferencedSOPInstanceUID]: { vr: 'UI', Value: [reference.sopInstanceUID] },
    }
    const reason = !isThere
      ? status.noSuchInstance
      : row.sop_class_uid !== reference.sopClassUID
        ? status.classInstanceConflict
        : undefined
    if (reason === undefined) kept.push(item)
    else failed.push({ ...item, [tag.FailureReason]: { vr: 'US', Value: [reason] } })
  }
  return {
    [tag.TransactionUID]: { vr: 'UI', Value: [transactionUID] },
    ...(kept.length > 0 && { [tag.ReferencedSOPSequence]: { vr: 'SQ', Value: kept } }),
    ...(failed.length > 0 && { [tag.FailedSOPSequence]: { vr: 'SQ', Value: failed } }),
  }
}

/** N-EVENT-REPORT: 1 where everything is committed to, 2 where something failed. */
async function send(association: Association, context: Context, report: JsonDataset): Promise<void> {
  await association.request(
    context,
    {
      field: commandField.eventRequest,
      sopClassUID: storageCommitment,
      sopInstanceUID: storageCommitmentInstance,
      eventType: report[tag.FailedSOPSequence] ? 2 : 1,
    },
    writeDataset(report, findTransferSyntax(context.transferSyntax) ?? { isExplicit: false, isBigEndian: false }),
  )
}

/** On an association of our own, in which the partner is the user of the service that it asked for. */
async function reportAnew(deps: Dependencies, peer: Peer, report: JsonDataset): Promise<void> {
  const proposed = {
    id: 1,
    abstractSyntax: storageCommitment,
    transferSyntaxes: [explicitLittleEndianUID, '1.2.840.10008.1.2'],
  }
  try {
    const roles = [{ abstractSyntax: storageCommitment, isUser: false, isProvider: true }]
    const association = await proposeTo(deps, peer, peer.partner, [proposed], roles)
    const context = association.contexts.get(1)
    if (context) await send(association, context, report)
    await association.release()
  } catch (cause) {
    const reason = cause instanceof OperationRefused ? cause.message : 'the association broke off'
    deps.log.warn({ reason }, 'a partner did not take its storage commitment')
  }
}
