import { OperationRefused, status } from '@dmp/dimse'
import { Busy, Refusal } from '../../core/errors.ts'
import { ObjectStoreError } from '../../outside/objectStore.ts'

export interface Failure {
  readonly status: number
  readonly comment: string
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
