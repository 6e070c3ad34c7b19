import type { Association, Message } from './association.ts'
import { responseBit } from './commands.ts'
import { ProtocolFault } from './faults.ts'

/** Statuses of answers (PS3.7 annex C, PS3.4 annexes B and C). */
export const status = {
  success: 0x0000,
  pending: 0xff00,
  cancelled: 0xfe00,
  noSuchClass: 0x0118,
  noSuchInstance: 0x0112,
  classInstanceConflict: 0x0119,
  invalidArgument: 0x0115,
  notAuthorized: 0x0124,
  unrecognizedOperation: 0x0211,
  processingFailure: 0x0110,
  outOfResources: 0xa700,
  noMatches: 0xa701,
  noSubOperations: 0xa702,
  destinationUnknown: 0xa801,
  identifierMismatch: 0xa900,
  someFailed: 0xb000,
} as const

/** An operation that is refused with a status. The comment names no patient, because partners write it into logs. */
export class OperationRefused extends Error {
  readonly status: number

  constructor(code: number, comment: string) {
    super(comment)
    this.name = 'OperationRefused'
    this.status = code
  }
}

/** An answer that is a status and nothing else. */
export async function answerStatus(
  association: Association,
  { context, command }: Message,
  code: number,
  comment?: string,
): Promise<void> {
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
