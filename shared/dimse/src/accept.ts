import type { Socket } from 'node:net'
import { Association, type Context } from './association.ts'
import { abortReason, AssociationOver, ProtocolFault, rejections, type Rejection } from './faults.ts'
import { Line } from './line.ts'
import { dimseLimits } from './limits.ts'
import {
  associateAccept,
  associateReject,
  contextResult,
  dicomApplicationContext,
  pduType,
  readAssociateRequest,
  type AnsweredContext,
  type AssociateRequest,
  type ProposedContext,
  type RoleSelection,
} from './pdus.ts'

/** What is agreed to of a proposal: a transfer syntax of each context, or why it is refused. */
export interface Agreement {
  choose(context: ProposedContext): string | keyof Omit<typeof contextResult, 'accepted'>
  /** Of the roles that were proposed. */
  readonly roles: readonly RoleSelection[]
}

/** Judges a proposal: who asks, and what of it is agreed to. */
export type Judge = (request: AssociateRequest) => Promise<Agreement | Rejection>

const lastMs = 2000

/** Waits for the proposal and answers it. Undefined when it was refused. Throws `AssociationOver`. */
export async function acceptAssociation(
  socket: Socket,
  idleMs: number,
  judge: Judge,
): Promise<Association | undefined> {
  const line = new Line(socket, idleMs)
  // However slowly its bytes come.
  const late = setTimeout(() => socket.destroy(new AssociationOver('idle')), dimseLimits.associateMs)
  try {
    const { type, bytes } = await line.read(dimseLimits.associateMs)
    if (type === pduType.abort) throw new AssociationOver('aborted')
    if (type !== pduType.associateRequest)
      throw new ProtocolFault('unexpectedPdu', 'The line does not begin with a proposal.')
    const request = readAssociateRequest(bytes)
    clearTimeout(late)
    const agreement = await judgeForm(request, judge)
    if (typeof agreement !== 'string') return await agree(line, request, agreement)
    await line.write(associateReject(rejections[agreement]))
    // It is the partner who closes (PS3.8 section 9.2, AE-6).
    setTimeout(() => socket.destroy(), lastMs).unref()
    return undefined
  } catch (cause) {
    line.abort(cause instanceof ProtocolFault ? cause.reason : abortReason.notSpecified)
    throw cause
  } finally {
    clearTimeout(late)
  }
}

async function judgeForm(request: AssociateRequest, judge: Judge): Promise<Agreement | Rejection> {
  // Further versions may be proposed beside the first.
  if ((request.protocolVersion & 1) === 0) return 'protocolVersion'
  if (request.applicationContext !== dicomApplicationContext) return 'applicationContext'
  return judge(request)
}

async function agree(line: Line, request: AssociateRequest, { choose, roles }: Agreement): Promise<Association> {
  const contexts: Context[] = []
  const answers = request.contexts.map((proposed): AnsweredContext => {
    const chosen = choose(proposed)
    const { id, abstractSyntax, transferSyntaxes } = proposed
    if (chosen in contextResult)
      return {
        id,
        result: contextResult[chosen as keyof typeof contextResult],
        transferSyntax: transferSyntaxes[0] ?? '',
      }
    contexts.push({ id, abstractSyntax, transferSyntax: chosen })
    return { id, result: contextResult.accepted, transferSyntax: chosen }
  })
  const { calledTitle, callingTitle, maxLength } = request
  const association = new Association(line, contexts, maxLength)
  await line.write(associateAccept({ calledTitle, callingTitle, contexts: answers, roles }))
  return association
}
