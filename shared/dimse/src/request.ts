import type { Socket } from 'node:net'
import { Association } from './association.ts'
import { AssociationOver, AssociationRejected, ProtocolFault } from './faults.ts'
import { Line } from './line.ts'
import { dimseLimits } from './limits.ts'
import {
  associateRequest,
  contextResult,
  pduType,
  readAssociateAccept,
  type ProposedContext,
  type RoleSelection,
} from './pdus.ts'

export interface AssociationProposal {
  readonly calledTitle: string
  readonly callingTitle: string
  readonly contexts: readonly ProposedContext[]
  readonly roles: readonly RoleSelection[]
}

/** Proposes an association on an open connection. Throws `AssociationRejected`, `AssociationOver`, `ProtocolFault`. */
export async function requestAssociation(
  socket: Socket,
  idleMs: number,
  proposal: AssociationProposal,
): Promise<Association> {
  const line = new Line(socket, idleMs)
  try {
    await line.write(associateRequest(proposal))
    const { type, bytes } = await line.read(dimseLimits.associateMs)
    if (type === pduType.abort) throw new AssociationOver('aborted')
    if (type === pduType.associateReject) throw new AssociationRejected([...bytes.subarray(1, 4)])
    if (type !== pduType.associateAccept) throw new ProtocolFault('unexpectedPdu', 'This is no answer to a proposal.')
    const { contexts, maxLength } = readAssociateAccept(bytes)
    const proposed = new Map(proposal.contexts.map(({ id, abstractSyntax }) => [id, abstractSyntax]))
    const agreed = contexts.flatMap(({ id, result, transferSyntax }) => {
      const abstractSyntax = proposed.get(id)
      return result === contextResult.accepted && abstractSyntax !== undefined
        ? [{ id, abstractSyntax, transferSyntax }]
        : []
    })
    return new Association(line, agreed, maxLength)
  } catch (cause) {
    line.abort()
    throw cause
  }
}
