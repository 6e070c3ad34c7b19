import { Busy, Refusal } from '../../core/errors.ts'
import { ObjectStoreError } from '../../outside/objectStore.ts'

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

export interface Failure {
  readonly status: number
  readonly comment: string
}

/** An operation that is refused with a status. The comment names no patient, because partners write it into logs. */
export class OperationRefused extends Error {
  readonly status: number

  constructor(code: number, comment: string) {
    super(comment)
    this.name = 'OperationRefused'
    this.status = code
  }
}

/** What a partner is told of a fault; undefined for one that only the log explains. */
export function toFailure(cause: unknown): Failure | undefined {
  if (cause instanceof OperationRefused) return { status: cause.status, comment: cause.message }
  if (cause instanceof ObjectStoreError) return { status: status.outOfResources, comment: 'The store has no room now.' }
  if ((cause as { code?: unknown }).code === 'ENOSPC')
    return { status: status.outOfResources, comment: 'The disk of the server is full.' }
  if (cause instanceof Busy) return { status: status.outOfResources, comment: 'Too much is under way. Try again.' }
  if (cause instanceof Refusal) {
    if (cause.status === 400) return { status: status.identifierMismatch, comment: cause.message }
    if (cause.status === 429 || cause.status === 503) return { status: status.outOfResources, comment: cause.message }
    return { status: status.notAuthorized, comment: cause.message }
  }
  return undefined
}
