import type { Association, Message } from '../../outside/dimse/association.ts'
import { commandField, responseBit } from '../../outside/dimse/commands.ts'
import { AssociationOver } from '../../outside/dimse/faults.ts'
import { penaltyPoints } from '../../core/penalties.ts'
import type { Dependencies } from '../../dependencies.ts'
import { part10Start } from '../../dicom/elementWriter.ts'
import { maxUploadBytes } from '../../settings/settings.ts'
import type { ThumbnailWarmer } from '../scan/reading/thumbnails.ts'
import { isPrepared, prepare, type IncomingObject, type IntakeOutcome } from '../scan/intake/intake.ts'
import { commit } from '../scan/intake/intake.repository.ts'
import { assertMay, openScope, type Peer } from './peer.ts'
import { isStorage } from './presentation.ts'
import { OperationRefused, status } from './statuses.ts'

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
  if (outcome.kind === 'refused')
    return association.send(context, { ...answer, status: outcome.failureCode, comment: outcome.sentence })
  if (outcome.kind === 'stored') thumbnails.warm(peer.partner.organization_id, [outcome.seriesUID])
  return association.send(context, { ...answer, status: status.success })
}

async function storeObject(deps: Dependencies, peer: Peer, message: Message): Promise<IntakeOutcome> {
  const { context, command, data } = message
  assertMay(peer, 'Store')
  if (!data || !isStorage(context.abstractSyntax) || command.sopClassUID !== context.abstractSyntax)
    throw new OperationRefused(status.noSuchClass, 'The object is not of the SOP class of its context.')
  await deps.disk.assertRoom('database', 'objects')
  const { store } = await openScope(deps, peer)
  const incoming: IncomingObject = { organizationId: store.organizationId, source: 'DICOM', context: peer.context }
  const owner = { organizationId: peer.turn.customer, userId: peer.turn.person }
  const end = deps.penalties.beginUpload(owner)
  try {
    const prepared = await prepare(deps, incoming, toFile(message, data), maxUploadBytes(deps.settings))
    if (!isPrepared(prepared)) return prepared
    if (prepared.ids.sopInstanceUID !== command.sopInstanceUID) {
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

/**
 * The data set with file meta information (PS3.10), which says nothing of who sent it or when: the same object of two
 * partners is the same file.
 */
async function* toFile({ context, command }: Message, data: AsyncGenerator<Buffer>): AsyncGenerator<Uint8Array> {
  yield part10Start({
    sopClassUID: context.abstractSyntax,
    sopInstanceUID: command.sopInstanceUID ?? '',
    transferSyntaxUID: context.transferSyntax,
  })
  // Who reads no further leaves the rest to the association, which drops it.
  for (;;) {
    const { done, value } = await data.next()
    if (done) return
    yield value
  }
}
