import type { ObjectStoreError } from '../../outside/objectStore.ts'
import { notFound, Refusal } from '../../core/errors.ts'
import type { Scope } from './scope.ts'

/** How scans came, as the list says it (3.12). */
export const uploadSource = ({ viewer }: Pick<Scope, 'viewer'>): string =>
  viewer.role === 'service_user' ? 'Uploader' : 'Upload'

/** What a person is told when the object store fails. */
export function toStoreRefusal(error: ObjectStoreError): Refusal {
  if (error.fault === 'MISSING') return notFound()
  return new Refusal(error.fault === 'FULL' ? 507 : 503, `STORE_${error.fault}`, error.message, undefined, 30)
}
