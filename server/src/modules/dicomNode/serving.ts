import {
  abortReason,
  acceptAssociation,
  answerStatus,
  AssociationOver,
  commandField,
  ProtocolFault,
  status,
  storageCommitment,
  verification,
  type Agreement,
  type AssociateRequest,
  type Association,
  type Message,
  type Rejection,
} from '@dmp/dimse'
import { inTurnOf } from '../../core/asker.ts'
import { Refusal } from '../../core/errors.ts'
import type { ThumbnailWarmer } from '../scan/reading/thumbnails.ts'
import type { Admission } from './admission.ts'
import { answerAction, type Committing } from './committing.ts'
import type { OpenAssociations, OpenLine } from './openAssociations.ts'
import { spendOperations, toPeer, type Peer } from './peer.ts'
import { agreeOn, findQueryCommand } from './presentation.ts'
import { answerGet, answerMove } from './retrieving.ts'
import { answerFind, type Searching } from './searching.ts'
import { toFailure } from './statuses.ts'
import { answerStore } from './storing.ts'

export interface Serving extends Searching, Committing {
  readonly thumbnails: Pick<ThumbnailWarmer, 'warm'>
  readonly open: OpenAssociations
  readonly admission: Admission
}

/** After one operation too many the association waits, and what its partner sends meanwhile waits on its line. */
const tooManyMs = 1000

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
    if (open.isFull(partner)) return 'localLimit'
    const { callingTitle, calledTitle } = request
    const peer = toPeer(partner, { address: line.address, callingTitle, calledTitle })
    line.peer = peer
    // News that came since the partner was looked up found no line of it to cut.
    if (!(await open.mayGoOn(line, peer))) return 'callingTitle'
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
      await inTurnOf(peer.turn, () => answer(serving, line, peer, association, message))
    } finally {
      line.isBusy = false
    }
    if (serving.open.isClosing) return association.abort()
  }
}

async function answer(
  serving: Serving,
  line: OpenLine,
  peer: Peer,
  association: Association,
  message: Message,
): Promise<void> {
  try {
    await dispatch(serving, line, peer, association, message)
  } catch (cause) {
    if (cause instanceof AssociationOver || cause instanceof ProtocolFault) throw cause
    const failure = toFailure(cause)
    await countRefusal(serving, peer, cause)
    if (!failure)
      serving.deps.log.error(
        { reason: cause instanceof Error ? cause.message : 'unknown' },
        'a DICOM operation was not completed',
      )
    const { status: code, comment } = failure ?? {
      status: status.processingFailure,
      comment: 'The server failed. Try again, or tell its administrator.',
    }
    await answerStatus(association, message, code, comment)
  }
}

/** Whoever asks too much, or in vain again and again, would be refused as quickly as it asks. */
async function countRefusal({ deps }: Serving, peer: Peer, cause: unknown): Promise<void> {
  const isTooMany = cause instanceof Refusal && cause.status === 429
  if (
    !isTooMany &&
    (await spendOperations(deps, peer, 1).then(
      () => true,
      () => false,
    ))
  )
    return
  await new Promise((later) => setTimeout(later, tooManyMs))
}

async function dispatch(
  serving: Serving,
  line: OpenLine,
  peer: Peer,
  association: Association,
  message: Message,
): Promise<void> {
  const { context, command } = message
  const query = findQueryCommand(context.abstractSyntax)
  if (command.field === commandField.echoRequest && context.abstractSyntax === verification)
    return answerEcho(serving, peer, association, message)
  if (command.field === commandField.storeRequest)
    return answerStore(serving.deps, serving.thumbnails, peer, association, message)
  if (command.field === commandField.findRequest && query === 'find')
    return answerFind(serving, peer, association, message)
  if (command.field === commandField.getRequest && query === 'get')
    return answerGet(serving, peer, association, message)
  if (command.field === commandField.moveRequest && query === 'move')
    return answerMove(serving, line, peer, association, message)
  if (command.field === commandField.actionRequest && context.abstractSyntax === storageCommitment)
    return answerAction(serving, peer, association, message)
  await spendOperations(serving.deps, peer, 1)
  return answerStatus(association, message, status.unrecognizedOperation)
}

async function answerEcho({ deps }: Serving, peer: Peer, association: Association, message: Message): Promise<void> {
  await spendOperations(deps, peer, 1)
  await answerStatus(association, message, status.success)
}
