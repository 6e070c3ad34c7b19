import type { Socket } from 'node:net'
import { isUid, transferSyntax } from '@dmp/dicom'
import { findTransferSyntax } from '@dmp/dicom/transferSyntaxes'
import {
  abortReason,
  acceptAssociation,
  answerCommitment,
  answerStatus,
  assertStorable,
  AssociationOver,
  commandField,
  isStorage,
  OperationRefused,
  ProtocolFault,
  readCommitmentRequest,
  sendCommitmentReport,
  status,
  storageCommitment,
  toFile,
  verification,
  type Agreement,
  type AssociateRequest,
  type Association,
  type Message,
  type ProposedContext,
  type Rejection,
} from '@dmp/dimse'
import type { Commitments } from './Commitments.ts'
import type { Spool } from './Spool.ts'

export interface Serving {
  readonly spool: Spool
  readonly commitments: Commitments
  readonly judge: (request: AssociateRequest) => Rejection | undefined
  readonly onReceived: (aeTitle: string, bytes: number) => void
  /** A fault that only the log explains. */
  readonly onFault: (sentence: string) => void
  readonly isClosing: () => boolean
}

const idleMs = 60_000

/** One association, from its proposal to its end. Never throws. */
export async function serveAssociation(serving: Serving, socket: Socket): Promise<void> {
  let association: Association | undefined
  let aeTitle = ''
  try {
    association = await acceptAssociation(socket, idleMs, (request) => {
      aeTitle = request.callingTitle
      return Promise.resolve(serving.judge(request) ?? agreeOn(request))
    })
    if (!association) return
    for (;;) {
      const message = await association.receive()
      if (!message) return
      await answer(serving, aeTitle, association, message)
      if (serving.isClosing()) return association.abort()
    }
  } catch (cause) {
    if (!(cause instanceof AssociationOver) && !(cause instanceof ProtocolFault)) serving.onFault(toSentence(cause))
    association?.abort(cause instanceof ProtocolFault ? cause.reason : abortReason.notSpecified)
  }
}

const toSentence = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** An object comes in the first transfer syntax that the partner names and the platform stores. */
const agreeOn = ({ roles }: AssociateRequest): Agreement => ({
  choose,
  roles: roles.map(({ abstractSyntax, isUser }) => ({ abstractSyntax, isUser, isProvider: false })),
})

function choose({ abstractSyntax, transferSyntaxes }: ProposedContext): string | 'abstractSyntax' | 'transferSyntaxes' {
  const isObject = isStorage(abstractSyntax)
  if (!isObject && abstractSyntax !== verification && abstractSyntax !== storageCommitment) return 'abstractSyntax'
  const { explicitLittleEndian, implicitLittleEndian } = transferSyntax
  const chosen = isObject
    ? transferSyntaxes.find((uid) => findTransferSyntax(uid) !== undefined)
    : [explicitLittleEndian, implicitLittleEndian].find((uid) => transferSyntaxes.includes(uid))
  return chosen ?? 'transferSyntaxes'
}

async function answer(serving: Serving, aeTitle: string, association: Association, message: Message): Promise<void> {
  try {
    await dispatch(serving, aeTitle, association, message)
  } catch (cause) {
    if (cause instanceof AssociationOver || cause instanceof ProtocolFault) throw cause
    if (cause instanceof OperationRefused) return answerStatus(association, message, cause.status, cause.message)
    serving.onFault(toSentence(cause))
    await answerStatus(association, message, status.processingFailure, 'The gateway could not keep it.')
  }
}

async function dispatch(serving: Serving, aeTitle: string, association: Association, message: Message): Promise<void> {
  const { context, command } = message
  if (command.field === commandField.echoRequest && context.abstractSyntax === verification)
    return answerStatus(association, message, status.success)
  if (command.field === commandField.storeRequest) return store(serving, aeTitle, association, message)
  if (command.field === commandField.actionRequest && context.abstractSyntax === storageCommitment)
    return commit(serving, aeTitle, association, message)
  return answerStatus(association, message, status.unrecognizedOperation)
}

/** C-STORE: success is said when the object is on this disk for good. */
async function store(
  { spool, onReceived }: Serving,
  aeTitle: string,
  association: Association,
  message: Message,
): Promise<void> {
  const data = assertStorable(message)
  const { sopClassUID = '', sopInstanceUID = '' } = message.command
  if (!isUid(sopInstanceUID) || !isUid(sopClassUID))
    throw new OperationRefused(status.identifierMismatch, 'The command names no object.')
  await spool.assertRoom()
  const bytes = await spool.keep(aeTitle, { sopClassUID, sopInstanceUID }, toFile(message, data))
  onReceived(aeTitle, bytes)
  await answerStatus(association, message, status.success)
}

/** Storage commitment: at once where the server has everything, later where something waits for it. */
async function commit(
  { commitments }: Serving,
  aeTitle: string,
  association: Association,
  message: Message,
): Promise<void> {
  const request = await readCommitmentRequest(message)
  const report = commitments.judge(request)
  const isLater = commitments.canReport(aeTitle)
  if (report === undefined && !isLater)
    throw new OperationRefused(status.processingFailure, 'Not all of it is at the server yet. Ask again later.')
  // Before it is promised: a restart in between would forget it.
  if (report === undefined) commitments.keep(aeTitle, request)
  await answerCommitment(association, message)
  if (report === undefined) return commitments.look()
  try {
    await sendCommitmentReport(association, message.context, report)
  } catch (cause) {
    if (cause instanceof AssociationOver && isLater) commitments.keep(aeTitle, request)
    throw cause
  }
}
