import {
  assertStorable,
  AssociationOver,
  commandField,
  OperationRefused,
  responseBit,
  status,
  toFile,
  type Association,
  type Message,
} from '@dmp/dimse'
import { penaltyPoints } from '../../core/penalties.ts'
import type { Dependencies } from '../../dependencies.ts'
import { maxUploadBytes } from '../../settings/settings.ts'
import type { ThumbnailWarmer } from '../scan/reading/thumbnails.ts'
import { isPrepared, prepare, type IncomingObject, type IntakeOutcome } from '../scan/intake/intake.ts'
import { commit } from '../scan/intake/commit.ts'
import { assertMay, openScope, spendOperations, type Peer } from './peer.ts'

/**
 * C-STORE (PS3.4 annex B): the object is written as it comes, and the answer goes out when its bytes are synced and its
 * row is committed, by the same intake as every other upload.
 */
export async function answerStore(
  deps: Dependencies,
  thumbnails: Pick<ThumbnailWarmer, 'warm'>,
  peer: Peer,
  association: Association,
  message: Message,
): Promise<void> {
  const { context, command } = message
  const { sopClassUID = '', sopInstanceUID = '', messageId } = command
  const answer = { field: commandField.storeRequest | responseBit, respondedTo: messageId, sopClassUID, sopInstanceUID }
  const outcome = await storeObject(deps, peer, message)
  if (outcome.kind === 'refused') {
    await spendOperations(deps, peer, 1)
    return association.send(context, { ...answer, status: outcome.failureCode, comment: outcome.sentence })
  }
  if (outcome.kind === 'stored') thumbnails.warm(peer.partner.organization_id, [outcome.seriesUID])
  return association.send(context, { ...answer, status: status.success })
}

async function storeObject(deps: Dependencies, peer: Peer, message: Message): Promise<IntakeOutcome> {
  assertMay(peer, 'Store')
  const data = assertStorable(message)
  await deps.disk.assertRoom('database', 'objects')
  const { store } = await openScope(deps, peer)
  const incoming: IncomingObject = { organizationId: store.organizationId, source: 'DICOM', context: peer.context }
  const owner = { organizationId: peer.turn.customer, userId: peer.turn.person }
  const end = deps.penalties.beginUpload(owner)
  try {
    const prepared = await prepare(deps, incoming, toFile(message, data), maxUploadBytes(deps.settings))
    if (!isPrepared(prepared)) return prepared
    if (prepared.ids.sopInstanceUID !== message.command.sopInstanceUID) {
      await deps.objects.discard([prepared.staged])
      throw new OperationRefused(status.identifierMismatch, 'The object has another SOP instance UID than its command.')
    }
    const [outcome] = await commit(deps, incoming, [prepared])
    if (!outcome) throw new Error('An object without an outcome.')
    return outcome
  } catch (cause) {
    if (cause instanceof AssociationOver) deps.penalties.charge(owner, peer.address, penaltyPoints.brokenOff)
    throw cause
  } finally {
    end()
  }
}
