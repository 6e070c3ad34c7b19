import { createHash } from 'node:crypto'
import { may, permits, type ActionOf } from '@dmp/contract'
import type { FastifyRequest } from 'fastify'
import type { WriteContext } from '../../db/write.ts'
import { isUid } from '../../dicom/read.ts'
import { getStore, refuseDeactivated, type Store } from '../../modules/scan/scan.repository.ts'
import type { Parts } from '../../parts.ts'
import { authenticate } from '../authenticate.ts'
import { callerOf } from '../caller.ts'
import type { Viewer } from '../context.ts'
import { notThere, Refusal } from '../refusal.ts'

/** What one DICOMweb request may reach: one organization, and after a launch only the launched studies of it. */
export interface Scope {
  readonly viewer: Viewer
  readonly store: Store
  readonly context: WriteContext & { readonly viewer: Viewer }
  /** Undefined: every study of the organization. */
  readonly studies: ReadonlySet<string> | undefined
}

export const launchCookie = 'dmp-launch'
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex')

const refused = (): Refusal => new Refusal(403, 'NOT_ALLOWED', 'You do not have access to this action.')

function permitted(
  { refusedAccess }: Parts,
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
    throw notThere()
  return organizationId
}

/** A Bearer token, or the cookie that the launch of a viewer set (reading only). */
export async function scopeOf(parts: Parts, request: FastifyRequest, action: ActionOf<'Scan'>): Promise<Scope> {
  const cookie = request.cookies[launchCookie]
  if (request.headers.authorization === undefined && cookie !== undefined && action !== 'Upload')
    return launchedScope(parts, request, cookie, action)
  const viewer = permitted(parts, request, await authenticate(parts, request), action)
  request.viewer = viewer
  const store = await getStore(parts.db, viewer, organizationOf(request))
  if (action === 'Upload') refuseDeactivated(store)
  return { viewer, store, context: { viewer, request: callerOf(request) }, studies: undefined }
}

async function launchedScope(
  parts: Parts,
  request: FastifyRequest,
  token: string,
  action: ActionOf<'Scan'>,
): Promise<Scope> {
  const launches = await parts.db
    .selectFrom('scan_launches')
    .selectAll()
    .where('token_hash', '=', hashOfToken(token))
    .where('expires_date', '>', new Date())
    .execute()
  const asked = (request.params as { study?: string }).study
  const launch = launches.find((one) => one.study_uid === asked) ?? launches[0]
  const viewer = launch && (await parts.viewers.ofFamily(launch.family_id, launch.user_id))
  if (!launch || !viewer)
    throw new Refusal(
      401,
      'NOT_SIGNED_IN',
      'Your session is not valid anymore. Please login again to use the application.',
    )
  request.viewer = permitted(parts, request, viewer, action)
  const studies = new Set(
    launches.filter((one) => one.organization_id === launch.organization_id).map((one) => one.study_uid),
  )
  return {
    viewer,
    store: await getStore(parts.db, viewer, launch.organization_id),
    context: { viewer, request: callerOf(request) },
    studies,
  }
}

export interface UidPath {
  readonly study?: string
  readonly series?: string
  readonly instance?: string
}

/** UIDs of the path; what is none, or outside of the scope, does not exist. */
export function pathOf(request: FastifyRequest, scope: Scope): UidPath {
  const { study, series, instance } = request.params as UidPath
  if ([study, series, instance].some((uid) => uid !== undefined && !isUid(uid))) throw notThere()
  if (scope.studies && (study === undefined || !scope.studies.has(study))) throw notThere()
  return {
    ...(study !== undefined && { study }),
    ...(series !== undefined && { series }),
    ...(instance !== undefined && { instance }),
  }
}
