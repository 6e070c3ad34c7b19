import { inTurnOf } from '../../core/asker.ts'
import { Refusal } from '../../core/errors.ts'
import { acceptAssociation, type Agreement } from '../../outside/dimse/accept.ts'
import type { Association, Message } from '../../outside/dimse/association.ts'
import { commandField, responseBit } from '../../outside/dimse/commands.ts'
import { abortReason, AssociationOver, ProtocolFault, type Rejection } from '../../outside/dimse/faults.ts'
import type { AssociateRequest } from '../../outside/dimse/pdus.ts'
import type { ThumbnailWarmer } from '../scan/reading/thumbnails.ts'
import type { Admission } from './admission.ts'
import { answerAction } from './committing.ts'
import type { OpenAssociations, OpenLine } from './openAssociations.ts'
import { toPeer, type Peer } from './peer.ts'
import { agreeOn, findQueryCommand, storageCommitment, verification } from './presentation.ts'
import { answerGet, answerMove } from './retrieving.ts'
import { answerFind, type Searching } from './searching.ts'
import { status, toFailure } from './statuses.ts'
import { answerStore } from './storing.ts'

export interface Serving extends Searching {
  readonly thumbnails: Pick<ThumbnailWarmer, 'warm'>
  readonly open: OpenAssociations
  readonly admission: Admission
}

/** One association, from its proposal to its end. Never throws. */
export async function serveAssociation(serving: Serving, line: OpenLine): Promise<void> {
  const { deps } = serving
  try {
    const idleMs = deps.settings.dicomIdleSeconds * 1000
    const association = await acceptAssociation(line.socket, idleMs, (request) => judge(serving, line, request))
    if (!association) return
    line.association = association
    await serve(serving, line, association)
  } catch (cause) {
    if (!(cause instanceof AssociationOver) && !(cause instanceof ProtocolFault))
      deps.log.error({ reason: cause instanceof Error ? cause.message : 'unknown' }, 'a DICOM association failed')
    line.association?.abort(cause instanceof ProtocolFault ? cause.reason : abortReason.notSpecified)
  }
}

async function judge(
  { admission, open, deps }: Serving,
  line: OpenLine,
  request: AssociateRequest,
): Promise<Agreement | Rejection> {
  try {
    const partner = await admission.judge(request, line)
    if (typeof partner === 'string') return partner
    if (open.isFull(partner.id)) return 'localLimit'
    const { callingTitle, calledTitle } = request
    line.peer = toPeer(partner, { address: line.address, callingTitle, calledTitle })
    return agreeOn(request, partner.services)
  } catch (cause) {
    if (cause instanceof Refusal) return 'localLimit'
    deps.log.warn({ reason: cause instanceof Error ? cause.message : 'unknown' }, 'a DICOM association was not judged')
    return 'congestion'
  }
}

async function serve(serving: Serving, line: OpenLine, association: Association): Promise<void> {
  for (;;) {
    const message = await association.receive()
    const { peer } = line
    if (!message || !peer) return
    line.isBusy = true
    try {
      await inTurnOf(peer.turn, () => answer(serving, peer, association, message))
    } finally {
      line.isBusy = false
    }
    if (serving.open.isClosing) return association.abort()
  }
}

async function answer(serving: Serving, peer: Peer, association: Association, message: Message): Promise<void> {
  try {
    await dispatch(serving, peer, association, message)
  } catch (cause) {
    if (cause instanceof AssociationOver || cause instanceof ProtocolFault) throw cause
    const failure = toFailure(cause)
    if (!failure)
      serving.deps.log.error(
        { reason: cause instanceof Error ? cause.message : 'unknown' },
        'a DICOM operation was not completed',
      )
    await refuse(association, message, failure?.status ?? status.processingFailure, failure?.comment)
  }
}

function dispatch(serving: Serving, peer: Peer, association: Association, message: Message): Promise<void> {
  const { context, command } = message
  const query = findQueryCommand(context.abstractSyntax)
  if (command.field === commandField.echoRequest && context.abstractSyntax === verification)
    return refuse(association, message, status.success)
  if (command.field === commandField.storeRequest)
    return answerStore(serving.deps, serving.thumbnails, peer, association, message)
  if (command.field === commandField.findRequest && query === 'find')
    return answerFind(serving, peer, association, message)
  if (command.field === commandField.getRequest && query === 'get')
    return answerGet(serving, peer, association, message)
  if (command.field === commandField.moveRequest && query === 'move')
    return answerMove(serving, peer, association, message)
  if (command.field === commandField.actionRequest && context.abstractSyntax === storageCommitment)
    return answerAction(serving.deps, peer, association, message)
  return refuse(association, message, status.unrecognizedOperation)
}

/** An answer that is a status and nothing else. */
async function refuse(association: Association, message: Message, code: number, comment?: string): Promise<void> {
  const { context, command } = message
  if ((command.field & responseBit) !== 0)
    throw new ProtocolFault('notSpecified', 'An answer came that nobody waits for.')
  await association.send(context, {
    field: command.field | responseBit,
    respondedTo: command.messageId,
    sopClassUID: command.sopClassUID ?? command.requestedSopClassUID ?? context.abstractSyntax,
    ...(command.sopInstanceUID !== undefined && { sopInstanceUID: command.sopInstanceUID }),
    status: code,
    ...(comment !== undefined && { comment }),
  })
}
