export { acceptAssociation, type Agreement, type Judge } from './accept.ts'
export { Association, type Context, type Message } from './association.ts'
export { commandField, responseBit, writeCommand, type Command } from './commands.ts'
export {
  answerCommitment,
  commitmentContext,
  readCommitmentReport,
  readCommitmentRequest,
  sendCommitmentReport,
  type CommitmentReport,
  type CommitmentRequest,
  type Reference,
} from './commitment.ts'
export { abortReason, AssociationOver, AssociationRejected, ProtocolFault, type Rejection } from './faults.ts'
export { dimseLimits } from './limits.ts'
export {
  dataHead,
  pdu,
  pduType,
  implementationClassUID,
  implementationVersionName,
  type AssociateRequest,
  type ProposedContext,
  type RoleSelection,
} from './pdus.ts'
export { requestAssociation, type AssociationProposal } from './request.ts'
export { isStorage, storageCommitment, storageCommitmentInstance, verification } from './sopClasses.ts'
export { answerStatus, OperationRefused, status } from './status.ts'
export { isTitle } from './titles.ts'
export { assertStorable, toFile } from './toFile.ts'
