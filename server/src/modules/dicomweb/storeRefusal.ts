import type { ObjectStoreError } from '../../outside/objectStore.ts'
import { notFound, Refusal } from '../../core/errors.ts'

/** The refusals when the object store fails. */
export function toStoreRefusal(error: ObjectStoreError): Refusal {
  if (error.fault === 'MISSING') return notFound()
  return new Refusal(error.fault === 'FULL' ? 507 : 503, `STORE_${error.fault}`, error.message, undefined, 30)
}
