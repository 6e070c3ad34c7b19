import type { IncomingObject } from '../scan/intake/intake.ts'
import type { Scope } from './scope.ts'

/** The incoming objects of an upload within this scope; the list shows their source (3.12). */
export const toIncomingObject = ({ viewer, store, context }: Scope, onlyStudyUID?: string): IncomingObject => ({
  organizationId: store.organizationId,
  source: viewer.role === 'service_user' ? 'Uploader' : 'Upload',
  context,
  ...(onlyStudyUID !== undefined && { onlyStudyUID }),
})
