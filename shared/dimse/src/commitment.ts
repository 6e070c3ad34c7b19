import { isUid, tag, transferSyntax } from '@dmp/dicom'
import { withoutPadding } from '@dmp/dicom/padding'
import type { Association, Context, Message } from './association.ts'
import { commandField, responseBit } from './commands.ts'
import { elementBytes, itemBytes, textValue, type Encoding } from './elementWriter.ts'
import { ProtocolFault } from './faults.ts'
import { dimseLimits } from './limits.ts'
import { readItems, type Items } from './readItems.ts'
import { storageCommitment, storageCommitmentInstance } from './sopClasses.ts'
import { OperationRefused, status } from './status.ts'

/** Storage commitment, the push model (PS3.4 annex J). */

const requestAction = 1
const mostReferences = 10_000

export interface Reference {
  readonly sopClassUID: string
  readonly sopInstanceUID: string
}
export interface CommitmentRequest {
  readonly transactionUID: string
  readonly references: readonly Reference[]
}
export interface CommitmentReport extends CommitmentRequest {
  /** Objects that nobody answers for, with the reason (PS3.4 section J.3.2.2). */
  readonly failures: readonly (Reference & { readonly reason: number })[]
}

/** The context of a report on an association of our own, in which the partner uses the service that it asked for. */
export const commitmentContext = {
  context: {
    id: 1,
    abstractSyntax: storageCommitment,
    transferSyntaxes: [transferSyntax.explicitLittleEndian, transferSyntax.implicitLittleEndian],
  },
  role: { abstractSyntax: storageCommitment, isUser: false, isProvider: true },
} as const

const toEncoding = ({ transferSyntax: uid }: Context): Encoding => ({
  isExplicit: uid !== transferSyntax.implicitLittleEndian,
  isBigEndian: false,
})

async function readIdentifier({ context, data }: Message): Promise<Items> {
  if (!data) throw new OperationRefused(status.identifierMismatch, 'The message has no identifier.')
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of data) {
    bytes += piece.length
    if (bytes > dimseLimits.identifierBytes) throw new ProtocolFault('notSpecified', 'The identifier is too long.')
    pieces.push(piece)
  }
  return readItems(Buffer.concat(pieces), toEncoding(context))
}

const listItems = (identifier: Items, key: string): readonly Items[] => identifier.get(key)?.items ?? []
const toReference = (item: Items): Reference => ({
  sopClassUID: text(item, tag.ReferencedSOPClassUID),
  sopInstanceUID: text(item, tag.ReferencedSOPInstanceUID),
})

/** What an N-ACTION asks for. Throws `OperationRefused`, and `ProtocolFault` where it is too long. */
export async function readCommitmentRequest(message: Message): Promise<CommitmentRequest> {
  const { actionType, requestedSopInstanceUID } = message.command
  if (actionType !== requestAction || requestedSopInstanceUID !== storageCommitmentInstance)
    throw new OperationRefused(status.invalidArgument, 'This is no request for storage commitment.')
  const identifier = await readIdentifier(message)
  const transactionUID = text(identifier, tag.TransactionUID)
  const references = listItems(identifier, tag.ReferencedSOPSequence).map(toReference)
  if (!isUid(transactionUID) || references.length === 0 || references.length > mostReferences)
    throw new OperationRefused(status.invalidArgument, 'The request has no transaction, or no objects, or too many.')
  return { transactionUID, references }
}

/** What an N-EVENT-REPORT says. Throws `OperationRefused`, and `ProtocolFault` where it is too long. */
export async function readCommitmentReport(message: Message): Promise<CommitmentReport> {
  const identifier = await readIdentifier(message)
  return {
    transactionUID: text(identifier, tag.TransactionUID),
    references: listItems(identifier, tag.ReferencedSOPSequence).map(toReference),
    failures: listItems(identifier, tag.FailedSOPSequence).map((item) => ({
      ...toReference(item),
      reason: item.get(tag.FailureReason)?.value?.readUInt16LE(0) ?? 0,
    })),
  }
}

const text = (items: Items, key: string): string =>
  withoutPadding(items.get(key)?.value?.toString('latin1') ?? '').trim()

/** That the request was understood; the report follows. */
export const answerCommitment = (association: Association, { context, command }: Message): Promise<void> =>
  association.send(context, {
    field: commandField.actionRequest | responseBit,
    respondedTo: command.messageId,
    sopClassUID: storageCommitment,
    sopInstanceUID: storageCommitmentInstance,
    actionType: requestAction,
    status: status.success,
  })

/** N-EVENT-REPORT: 1 where everything is committed to, 2 where something failed. */
export async function sendCommitmentReport(
  association: Association,
  context: Context,
  report: CommitmentReport,
): Promise<void> {
  const command = {
    field: commandField.eventRequest,
    sopClassUID: storageCommitment,
    sopInstanceUID: storageCommitmentInstance,
    eventType: report.failures.length > 0 ? 2 : 1,
  }
  await association.request(context, command, writeReport(report, toEncoding(context)))
}

function writeReport({ transactionUID, references, failures }: CommitmentReport, encoding: Encoding): Buffer {
  const uid = (key: string, value: string): Buffer => elementBytes(key, textValue('UI', value), encoding)
  const item = ({ sopClassUID, sopInstanceUID }: Reference, ...more: readonly Buffer[]): Buffer =>
    itemBytes(
      Buffer.concat([
        uid(tag.ReferencedSOPClassUID, sopClassUID),
        uid(tag.ReferencedSOPInstanceUID, sopInstanceUID),
        ...more,
      ]),
      encoding.isBigEndian,
    )
  const sequence = (key: string, items: readonly Buffer[]): Buffer[] =>
    items.length === 0 ? [] : [elementBytes(key, { vr: 'SQ', value: Buffer.concat(items) }, encoding)]
  const failed = failures.map(({ reason, ...reference }) => {
    const value = Buffer.alloc(2)
    value.writeUInt16LE(reason)
    return item(reference, elementBytes(tag.FailureReason, { vr: 'US', value }, encoding))
  })
  return Buffer.concat([
    uid(tag.TransactionUID, transactionUID),
    ...sequence(tag.FailedSOPSequence, failed),
    ...sequence(
      tag.ReferencedSOPSequence,
      references.map((reference) => item(reference)),
    ),
  ])
}
