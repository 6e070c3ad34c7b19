import { may, permits, type ActionOf } from '@dmp/contract'
import { isUid } from '@dmp/dicom'
import type { FastifyRequest } from 'fastify'
import { sql, type Selectable } from 'kysely'
import { sharedDate } from '../../core/clock.ts'
import type { Tables } from '../../db/tables/index.ts'
import type { WriteContext } from '../../db/write.ts'
import { getDatastore, refuseDeactivated, type Datastore } from '../scan/scan.repository.ts'
import { studiesOfPatientOf } from '../scan/reading/patientStudies.ts'
import { hashLinkToken } from '../scan/linkTokens.ts'
import type { Dependencies } from '../../dependencies.ts'
import { authenticate } from '../../identity/authenticate.ts'
import { findLaunchCookie, toCaller } from '../../core/caller.ts'
import { outOfScope } from '../../identity/outOfScope.ts'
import { recognize } from '../../identity/recognize.ts'
import { rightOfViewer } from '../../identity/rightUnderWay.ts'
import type { Caller, Viewer } from '../../core/context.ts'
import { notFound, Refusal } from '../../core/errors.ts'
import { isVisibleTo } from '../../core/tenant.ts'
import type { Turn } from '../../core/fairTurns.ts'
import { originOf } from './retrieveUrl.ts'

/** Reach of one request that reads: one organization, and after a launch or by a share link only a part of it. */
export interface ReadScope {
  readonly store: Datastore
  readonly context: WriteContext
  readonly turn: Turn
  /** A person, or one browser that opened a share link. */
  readonly reader: string
  /** Undefined for every study of the organization. */
  readonly studies: ReadonlySet<string> | undefined
  /** Undefined for every series of these studies. */
  readonly series: ReadonlySet<string> | undefined
  /** What addresses in answers begin with, followed by `root`; empty where nobody knows how the server is called. */
  readonly origin: string
  /** Where this reach begins. */
  readonly root: string
  /** Not where access can end from one moment to the next: a browser would go on showing what it kept. */
  readonly mayCache: boolean
  /** What an audit row says beside the event. */
  readonly about: { readonly shareId?: string; readonly email?: string }
}

/** The reach of somebody who signed in. */
export interface Scope extends ReadScope {
  readonly viewer: Viewer
  readonly context: WriteContext & { readonly viewer: Viewer; readonly request: Caller }
}

export const dicomWebRoot = '/dicom-web'

const notAllowed = (): Refusal => new Refusal(403, 'NOT_ALLOWED', 'You do not have access to this action.')

function requirePermission(
  { refusedAccess }: Dependencies,
  request: FastifyRequest,
  viewer: Viewer,
  action: ActionOf<'Scan'>,
): Viewer {
  if (permits(viewer.policy, may('Scan', action))) return viewer
  refusedAccess(viewer, request, `Scan ${action}`)
  throw viewer.ownerId === undefined ? notAllowed() : outOfScope(may('Scan', action))
}

const parseOrganizationId = (request: FastifyRequest): string | undefined => {
  const { organizationId } = request.query as { organizationId?: unknown }
  if (organizationId === undefined) return undefined
  if (typeof organizationId !== 'string' || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(organizationId))
    throw notFound()
  return organizationId
}

/**
 * After the limits by address: who it is, then limits by viewer (P19). Authenticates by a Bearer token, or for reading
 * by the cookie that the launch of the image viewer set.
 */
export async function getScope(deps: Dependencies, request: FastifyRequest, action: ActionOf<'Scan'>): Promise<Scope> {
  const scope = await findScope(deps, request, action)
  const { viewer, store } = scope
  await recognize(deps, request, viewer, request.routeOptions.config.limit ?? 'DICOMweb')
  const right = rightOfViewer(deps.db, viewer, store.organizationId)
  const goesOn = async (): Promise<boolean> => (await right.goesOn()) && (await mayGoOn(deps, scope, action))
  request.standOn?.({ ...right, goesOn })
  return scope
}

/** Nothing is added to an organization that was deactivated meanwhile, whoever sends it. */
async function mayGoOn({ db }: Dependencies, { viewer, store }: Scope, action: ActionOf<'Scan'>): Promise<boolean> {
  return action !== 'Upload' || (await getDatastore(db, viewer, store.organizationId)).isActivated
}

/** What the cookie of a launch opens. */
const reading: ReadonlySet<ActionOf<'Scan'>> = new Set(['List', 'Get', 'Download'])

async function findScope(deps: Dependencies, request: FastifyRequest, action: ActionOf<'Scan'>): Promise<Scope> {
  const cookie = findLaunchCookie(request)
  if (request.headers.authorization === undefined && cookie !== undefined && reading.has(action))
    return getLaunchedScope(deps, request, cookie, action)
  const viewer = requirePermission(deps, request, await authenticate(deps, request), action)
  request.viewer = viewer
  const organizationId = parseOrganizationId(request) ?? viewer.organizationId
  const store = await findDatastore(deps, viewer, organizationId)
  // One that was deactivated meanwhile is news, after which nothing is remembered and what is under way is judged anew.
  if (action === 'Upload') refuseDeactivated(store)
  return toScope(deps, request, viewer, store)
}

type Launch = Selectable<Tables['scan_launches']>

/**
 * What the cookie opens, and the launch by which the study is read: its own, or one of another study of the patient. A
 * study that was launched since it was read last is looked for again.
 */
async function findLaunches(deps: Dependencies, hash: string, study: string | undefined) {
  const { db, recent } = deps
  const key = `launches ${hash}`
  const find = async () => {
    const read = () => db.selectFrom('scan_launches').selectAll().where('token_hash', '=', hash).execute()
    const launches = (await recent.find(key, read)).filter(({ expires_date: expires }) => expires > sharedDate())
    return {
      launches,
      launch: study !== undefined && isUid(study) ? await findLaunchFor(deps, launches, study) : undefined,
    }
  }
  const found = await find()
  if (found.launch) return found
  recent.forget(key)
  return find()
}

/** Who may list an organization's scans compares a launched study with the patient's others (`priors.ts`). */
async function findLaunchFor(
  { db, recent }: Dependencies,
  launches: readonly Launch[],
  study: string,
): Promise<Launch | undefined> {
  const launched = launches.find(({ study_uid }) => study_uid === study)
  if (launched) return launched
  for (const organizationId of new Set(launches.map(({ organization_id }) => organization_id))) {
    const ofPatient = await recent.find(`patient of ${study} in ${organizationId}`, async () => {
      const uids = studiesOfPatientOf(organizationId, study)
      const { rows } = await sql<{ uids: string[] }>`select ${uids} as uids`.execute(db)
      return new Set(rows[0]?.uids)
    })
    const launch = launches.find((each) => each.organization_id === organizationId && ofPatient.has(each.study_uid))
    if (launch) return launch
  }
  return undefined
}

/** Whether the viewer may see the organization is asked each time; only its row is remembered. */
async function findDatastore({ db, recent }: Dependencies, viewer: Viewer, organizationId: string): Promise<Datastore> {
  if (!isVisibleTo(viewer, organizationId)) throw notFound()
  return recent.find(`datastore ${organizationId.toLowerCase()}`, () => getDatastore(db, viewer, organizationId))
}

const toScope = (
  { settings }: Dependencies,
  request: FastifyRequest,
  viewer: Viewer,
  store: Datastore,
  studies?: ReadonlySet<string>,
): Scope => ({
  viewer,
  store,
  context: { viewer, request: toCaller(request) },
  turn: { customer: viewer.organizationId, person: viewer.userId },
  reader: viewer.userId,
  studies,
  series: undefined,
  origin: originOf(settings, request),
  root: dicomWebRoot,
  mayCache: true,
  about: {},
})

async function getLaunchedScope(
  deps: Dependencies,
  request: FastifyRequest,
  token: string,
  action: ActionOf<'Scan'>,
): Promise<Scope> {
  const requestedStudy = (request.params as { study?: string }).study
  const { launches, launch: ofStudy } = await findLaunches(deps, hashLinkToken(token), requestedStudy)
  const launch = ofStudy ?? launches[0]
  const viewer = launch && (await deps.viewers.ofSession(launch.session_id, launch.user_id))
  if (!launch || !viewer)
    throw new Refusal(
      401,
      'NOT_SIGNED_IN',
      'Your session is not valid anymore. Please login again to use the application.',
    )
  request.viewer = requirePermission(deps, request, viewer, action)
  const studies = new Set(
    // The same study UID may exist in two organizations: a launch in one opens nothing in the other.
    launches.filter((other) => other.organization_id === launch.organization_id).map(({ study_uid }) => study_uid),
  )
  if (ofStudy && requestedStudy && permits(viewer.policy, may('Scan', 'List'))) studies.add(requestedStudy)
  return toScope(deps, request, viewer, await findDatastore(deps, viewer, launch.organization_id), studies)
}

export interface UidPath {
  readonly study?: string
  readonly series?: string
  readonly instance?: string
}

/** UIDs of the path. Anything that is not a UID, or is out of scope, does not exist. */
export function parseUidPath(request: FastifyRequest, scope: ReadScope): UidPath {
  const { study, series, instance } = request.params as UidPath
  if ([study, series, instance].some((uid) => uid !== undefined && !isUid(uid))) throw notFound()
  if (scope.studies && (study === undefined || !scope.studies.has(study))) throw notFound()
  if (scope.series && series !== undefined && !scope.series.has(series)) throw notFound()
  return {
    ...(study !== undefined && { study }),
    ...(series !== undefined && { series }),
    ...(instance !== undefined && { instance }),
  }
}
