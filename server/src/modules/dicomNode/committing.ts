import { isUid } from '@dmp/dicom'
import { explicitLittleEndianUID, findTransferSyntax } from '@dmp/dicom/transferSyntaxes'
import {
  AssociationOver,
  commandField,
  dimseLimits,
  OperationRefused,
  responseBit,
  status,
  storageCommitment,
  storageCommitmentInstance,
  type Association,
  type Context,
  type Message,
} from '@dmp/dimse'
import type { Encoding } from '@dmp/dimse/elementWriter'
import { sql } from 'kysely'
import { FairTurns, TooManyWaiting } from '../../core/fairTurns.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Judged, Reference } from '../../dicom/commitment.ts'
import { proposeTo } from './destination.ts'
import { orRefuse, readBytes } from './identifier.ts'
import { assertMay, openScope, spendOperations, type Peer } from './peer.ts'

const requestAction = 1
const mostReferences = 10_000
/** Objects that count as one operation: of each the store is asked whether it has the bytes. */
const referencesOfOperation = 10

export interface Committing {
  readonly deps: Dependencies
  /** Reports on associations of our own. */
  readonly reports: FairTurns
}

/** Each holds its report in memory, and a line to a partner that may say nothing on it for a minute. */
export const createReportTurns = (): FairTurns =>
  new FairTurns({ atOnce: 16, perCustomer: 4, perPerson: 1, waitingPerPerson: 8, waitingPerCustomer: 32 })

interface Report {
  readonly bytes: Uint8Array
  readonly isComplete: boolean
}

/**
 * Storage commitment (PS3.4 annex J). What is stored was synced before its C-STORE was answered, so the report follows
 * the request at once: on the same association, or on a new one where the partner has ended it.
 */
export async function answerAction(
  { deps, reports }: Committing,
  peer: Peer,
  association: Association,
  message: Message,
): Promise<void> {
  const { context, command } = message
  assertMay(peer, 'Store')
  await spendOperations(deps, peer, 1)
  if (command.actionType !== requestAction || command.requestedSopInstanceUID !== storageCommitmentInstance)
    throw new OperationRefused(status.invalidArgument, 'This is no request for storage commitment.')
  const bytes = await readBytes(message, dimseLimits.identifierBytes)
  const { transferSyntax: transferSyntaxUID } = context
  const { transactionUID, references } = await orRefuse(
    deps.reader.run('commitment', { bytes, transferSyntaxUID }, { turn: peer.turn }),
  )
  if (!isUid(transactionUID) || references.length === 0 || references.length > mostReferences)
    throw new OperationRefused(status.invalidArgument, 'The request has no transaction, or no objects, or too many.')
  await spendOperations(deps, peer, Math.floor(references.length / referencesOfOperation))
  const judged = await judge(deps, peer, references)
  const write = (encoding: Encoding): Promise<Uint8Array> =>
    deps.reader.run('commitmentReport', { transactionUID, judged, encoding }, { turn: peer.turn })
  const isComplete = judged.every(({ reason }) => reason === undefined)
  const report = { bytes: await write(encodingOf(context)), isComplete }
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
    if (peer.partner.host !== null)
      deps.background(
        reportAnew(deps, reports, peer, async (anew) => ({ bytes: await write(encodingOf(anew)), isComplete })),
      )
    throw cause
  }
}

const encodingOf = ({ transferSyntax }: Context): Encoding =>
  findTransferSyntax(transferSyntax) ?? { isExplicit: false, isBigEndian: false }

/** What the server answers for: the rows are there, and the store has the bytes. Each object is looked for once. */
async function judge(deps: Dependencies, peer: Peer, references: readonly Reference[]): Promise<Judged[]> {
  const { store } = await openScope(deps, peer)
  const uids = [...new Set(references.map(({ sopInstanceUID }) => sopInstanceUID).filter(isUid))]
  const rows = await deps.db
    .selectFrom('instances')
    .select(['sop_instance_uid', 'sop_class_uid', 'object_key', 'byte_size'])
    .where('organization_id', '=', store.organizationId)
    .where('sop_instance_uid', '=', sql<string>`any(${uids}::text[])`)
    .execute()
  const held = new Map<string, string>()
  for (const row of rows)
    if (await deps.objects.holds(row.object_key, Number(row.byte_size)))
      held.set(row.sop_instance_uid, row.sop_class_uid)
  return references.map((reference) => {
    const sopClassUID = held.get(reference.sopInstanceUID)
    const isOther = sopClassUID !== reference.sopClassUID
    const reason =
      sopClassUID === undefined ? status.noSuchInstance : isOther ? status.classInstanceConflict : undefined
    return { ...reference, reason }
  })
}

/** N-EVENT-REPORT: 1 where everything is committed to, 2 where something failed. */
async function send(association: Association, context: Context, report: Report): Promise<void> {
  await association.request(
    context,
    {
      field: commandField.eventRequest,
      sopClassUID: storageCommitment,
      sopInstanceUID: storageCommitmentInstance,
      eventType: report.isComplete ? 1 : 2,
    },
    report.bytes,
  )
}

/**
 * On an association of our own, in which the partner is the user of the service that it asked for. Few wait: a partner
 * that gets none asks again.
 */
async function reportAnew(
  deps: Dependencies,
  reports: FairTurns,
  peer: Peer,
  write: (context: Context) => Promise<Report>,
): Promise<void> {
  const proposed = {
    id: 1,
    abstractSyntax: storageCommitment,
    transferSyntaxes: [explicitLittleEndianUID, '1.2.840.10008.1.2'],
  }
  try {
    const roles = [{ abstractSyntax: storageCommitment, isUser: false, isProvider: true }]
    await reports.run(peer.turn, async () => {
      const association = await proposeTo(deps, peer, peer.partner, [proposed], roles)
      const context = association.contexts.get(1)
      if (context) await send(association, context, await write(context))
      await association.release()
    })
  } catch (cause) {
    const isTold = cause instanceof OperationRefused || cause instanceof TooManyWaiting
    const reason = isTold ? cause.message : 'the association broke off'
    deps.log.warn({ reason }, 'a partner did not take its storage commitment')
  }
}
