import { createHash } from 'node:crypto'
import { may, permits, type ActionOf } from '@dmp/contract'
import type { FastifyRequest } from 'fastify'
import type { WriteContext } from '../../db/write.ts'
import { isUid } from '../../dicom/read.ts'
import { getDatastore, refuseDeactivated, type Datastore } from '../scan/scan.repository.ts'
import type { Dependencies } from '../../dependencies.ts'
import { authenticate } from '../../identity/authenticate.ts'
import { toCaller } from '../../core/caller.ts'
import type { Viewer } from '../../core/context.ts'
import { notFound, Refusal } from '../../core/errors.ts'

/** What one DICOMweb request may reach: one organization, and after a launch only the launched studies of it. */
export interface Scope {
  readonly viewer: Viewer
  readonly store: Datastore
  readonly context: WriteContext & { readonly viewer: Viewer }
  /** Undefined: every study of the organization. */
  readonly studies: ReadonlySet<string> | undefined
}

export const launchCookie = 'dmp-launch'
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

const refused = (): Refusal => new Refusal(403, 'NOT_ALLOWED', 'You do not have access to this action.')

function permitted(
  { refusedAccess }: Dependencies,
  request: FastifyRequest,
  viewer: Viewer,
  action: ActionOf<'Scan'>,
): Viewer {
  if (permits(viewer.policy, may('Scan', action))) return viewer
  refusedAccess(viewer, request, `Scan ${action}`)
  throw refused()
}

const organizationOf = (request: FastifyRequest): string | undefined => {
  const { organizationId } = request.query as { organizationId?: unknown }
  if (organizationId === undefined) return undefined
  if (typeof organizationId !== 'string' || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(organizationId))
    throw notFound()
  return organizationId
}

/** A Bearer token, or the cookie that the launch of a viewer set (reading only). */
export async function getScope(deps: Dependencies, request: FastifyRequest, action: ActionOf<'Scan'>): Promise<Scope> {
  const cookie = request.cookies[launchCookie]
  if (request.headers.authorization === undefined && cookie !== undefined && action !== 'Upload')
    return launchedScope(deps, request, cookie, action)
  const viewer = permitted(deps, request, await authenticate(deps, request), action)
  request.viewer = viewer
  const store = await getDatastore(deps.db, viewer, organizationOf(request))
  if (action === 'Upload') refuseDeactivated(store)
  return { viewer, store, context: { viewer, request: toCaller(request) }, studies: undefined }
}

async function launchedScope(
  deps: Dependencies,
  request: FastifyRequest,
  token: string,
  action: ActionOf<'Scan'>,
): Promise<Scope> {
  const launches = await deps.db
    .selectFrom('scan_launches')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where('expires_date', '>', new Date())
    .execute()
  const asked = (request.params as { study?: string }).study
  const launch = launches.find((one) => one.study_uid === asked) ?? launches[0]
  const viewer = launch && (await deps.viewers.ofSession(launch.session_id, launch.user_id))
  if (!launch || !viewer)
    throw new Refusal(
      401,
      'NOT_SIGNED_IN',
      'Your session is not valid anymore. Please login again to use the application.',
    )
  request.viewer = permitted(deps, request, viewer, action)
  const studies = new Set(
    launches.filter((one) => one.organization_id === launch.organization_id).map((one) => one.study_uid),
  )
  return {
    viewer,
    store: await getDatastore(deps.db, viewer, launch.organization_id),
    context: { viewer, request: toCaller(request) },
    studies,
  }
}

export interface UidPath {
  readonly study?: string
  readonly series?: string
  readonly instance?: string
}

/** UIDs of the path; what is none, or outside of the scope, does not exist. */
export function parseUidPath(request: FastifyRequest, scope: Scope): UidPath {
  const { study, series, instance } = request.params as UidPath
  if ([study, series, instance].some((uid) => uid !== undefined && !isUid(uid))) throw notFound()
  if (scope.studies && (study === undefined || !scope.studies.has(study))) throw notFound()
  return {
    ...(study !== undefined && { study }),
    ...(series !== undefined && { series }),
    ...(instance !== undefined && { instance }),
  }
}
