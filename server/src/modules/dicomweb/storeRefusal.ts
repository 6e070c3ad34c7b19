import type { ObjectStoreError } from '../../outside/objectStore.ts'
import { notFound, Refusal } from '../../core/errors.ts'

/** Trying again does not help: only the operator can. */
export const isForOperator = ({ fault }: ObjectStoreError): boolean => fault === 'DAMAGED' || fault === 'LOCKED'

/** The refusals when the object store fails; the cause (too many open files, a bucket's sentence) is for the log. */
export function toStoreRefusal(error: ObjectStoreError): Refusal {
  const refusal = toRefusal(error)
  refusal.cause = error.cause ?? error
  return refusal
}

function toRefusal(error: ObjectStoreError): Refusal {
  if (error.fault === 'MISSING') return notFound()
  if (isForOperator(error)) return new Refusal(500, `STORE_${error.fault}`, error.message)
  return new Refusal(error.fault === 'FULL' ? 507 : 503, `STORE_${error.fault}`, error.message, undefined, 30)
}
