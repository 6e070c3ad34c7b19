import type { IncomingObject } from '../scan/intake/intake.ts'
import type { Scope } from './scope.ts'

const isUploader = /^dmp-uploader\//i

/** Machines are told apart by what they call themselves: a word for people, which opens nothing. */
function toSource({ viewer, context }: Scope): string {
  if (viewer.role !== 'service_user') return 'Upload'
  return isUploader.test(context.request.userAgent) ? 'Uploader' : 'API'
}

/** The incoming objects of an upload within this scope; the list shows their source (3.12). */
export const toIncomingObject = (scope: Scope, onlyStudyUID?: string): IncomingObject => ({
  organizationId: scope.store.organizationId,
  source: toSource(scope),
  context: scope.context,
  ...(onlyStudyUID !== undefined && { onlyStudyUID }),
})
