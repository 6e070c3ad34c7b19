import type { ObjectStoreError } from '../../outside/objectStore.ts'
import { notThere, Refusal } from '../refusal.ts'
import type { Scope } from './scope.ts'

/** How scans came, as the list says it (3.12). */
export const sourceOf = ({ viewer }: Pick<Scope, 'viewer'>): string =>
  viewer.role === 'service_user' ? 'Uploader' : 'Upload'

/** What a person is told when the object store fails. */
export function storeRefusal(error: ObjectStoreError): Refusal {
  if (error.fault === 'MISSING') return notThere()
  return new Refusal(error.fault === 'FULL' ? 507 : 503, `STORE_${error.fault}`, error.message, undefined, 30)
}
