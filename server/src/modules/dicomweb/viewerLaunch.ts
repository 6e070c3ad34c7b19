import { may, permits } from '@dmp/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sharedDate, sharedNow } from '../../core/clock.ts'
import type { Dependencies } from '../../dependencies.ts'
import { authenticate } from '../../identity/authenticate.ts'
import { recognize } from '../../identity/recognize.ts'
import { createCookies, findLaunchCookie, toCaller, toLaunchCookieName } from '../../core/caller.ts'
import type { Viewer } from '../../core/context.ts'
import { closedPolicy, pageHeaders } from '../../core/contentSecurityPolicy.ts'
import { notFound } from '../../core/errors.ts'
import { visibleTo } from '../../core/tenant.ts'
import { markOpened } from '../scan/reading/openedStudies.ts'
import type { RecordAccess } from '../scan/reading/accessAudit.ts'
import { createLinkToken, hashLinkToken } from '../scan/linkTokens.ts'
import { behindWalls, forTheBrowserOfASession } from '../../core/access.ts'

/** An open image viewer can read for this long, or until its session ends; then View opens it again. */
const launchHours = 8

interface LaunchTarget {
  readonly organizationId: string
  readonly dataStoreID: string
  readonly imageSetID: string
  readonly studyUID: string
  readonly seriesUID: string
}

/**
 * `/launch` turns a signed-in session into access for the image viewer (7.42): an HttpOnly cookie for `/dicom-web` that
 * reads the launched studies, for who may list scans the others of their patients (`priors.ts`), and nothing else. GET
 * is for the browser of that session, POST for holders of a token, such as external apps. The address of the image
 * viewer holds no secret.
 */
export function registerLaunch(app: FastifyInstance, deps: Dependencies, recordAccess: RecordAccess): void {
  const limit = 'launch'
  app.get('/launch', { config: { limit, access: forTheBrowserOfASession } }, async (request, reply) => {
    const launch = await findLaunch(deps, request, createCookies(request, reply, deps).read('dmp-binding'))
    if (!launch) return sendRefusedPage(reply)
    await deps.limits.spend('launch', undefined, launch.viewer.userId)
    await grantAccess(deps, request, reply, launch.viewer, launch.target, recordAccess)
    return reply.redirect(toViewerUrl(launch.target), 303)
  })

  app.post('/launch', { config: { limit, access: behindWalls(may('Scan', 'Get')) } }, async (request, reply) => {
    const viewer = await authenticate(deps, request)
    await recognize(deps, request, viewer, 'launch')
    const { imageSetID } = (request.body ?? {}) as { imageSetID?: unknown }
    const target = await findTarget(deps, viewer, String(imageSetID ?? ''))
    if (!target) throw notFound()
    await grantAccess(deps, request, reply, viewer, target, recordAccess)
    return { data: { url: toViewerUrl(target) } }
  })
}

const readText = (query: Readonly<Record<string, unknown>>, name: string): string =>
  typeof query[name] === 'string' ? query[name] : ''

/**
 * The session id in the address is a label: it says which session, and opens nothing. The browser's HttpOnly cookie of
 * that session does, so that whoever reads the address in a log, a history or a screenshot has nothing (7.42).
 */
async function findLaunch(
  deps: Dependencies,
  request: FastifyRequest,
  binding: string | undefined,
): Promise<{ viewer: Viewer; target: LaunchTarget } | undefined> {
  const query = request.query as Record<string, unknown>
  const site = request.headers['sec-fetch-site']
  if (binding === undefined || (site !== undefined && site !== 'same-origin')) return undefined
  const session = await deps.db
    .selectFrom('session_labels')
    .innerJoin('sessions', 'sessions.id', 'session_labels.session_id')
    .select(['sessions.id', 'sessions.user_id'])
    .where('session_labels.label', '=', readText(query, 'sessionId').toLowerCase())
    .where('sessions.binding_hash', '=', deps.keys.digest('binding', binding))
    .executeTakeFirst()
  const viewer = session && (await deps.viewers.ofSession(session.id, session.user_id))
  const target = viewer && (await findTarget(deps, viewer, readText(query, 'ImageSetID')))
  if (!viewer || !target || target.dataStoreID !== readText(query, 'datastore')) return undefined
  const studies = readText(query, 'StudyInstanceUIDs').split(/[,\\]/)
  return studies.includes(target.studyUID) ? { viewer, target } : undefined
}

async function findTarget(deps: Dependencies, viewer: Viewer, imageSetID: string): Promise<LaunchTarget | undefined> {
  if (!permits(viewer.policy, may('Scan', 'Get'))) return undefined
  const rows = deps.db
    .selectFrom('series')
    .innerJoin('organizations', 'organizations.id', 'series.organization_id')
    .select(['series.organization_id', 'series.study_uid', 'series.series_uid', 'organizations.datastore_id'])
    .where('series.image_set_id', '=', imageSetID)
  const row = await visibleTo(rows, viewer, 'series.organization_id').executeTakeFirst()
  if (!row?.datastore_id) return undefined
  return {
    organizationId: row.organization_id,
    dataStoreID: row.datastore_id,
    imageSetID,
    studyUID: row.study_uid,
    seriesUID: row.series_uid,
  }
}

async function grantAccess(
  deps: Dependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  viewer: Viewer,
  target: LaunchTarget,
  recordAccess: RecordAccess,
): Promise<void> {
  const expiresDate = new Date(sharedNow() + launchHours * 3_600_000)
  await recordAccess(
    { viewer, request: toCaller(request) },
    {
      event: 'ScanViewed',
      organizationId: target.organizationId,
      subject: { studyUID: target.studyUID, seriesUID: target.seriesUID, isLaunch: true },
    },
  )
  await markOpened(deps, viewer.userId, target.organizationId, target.studyUID)
  const token = (await findOwnToken(deps, request, viewer)) ?? createLinkToken()
  await deps.db.deleteFrom('scan_launches').where('expires_date', '<', sharedDate()).execute()
  await deps.db
    .insertInto('scan_launches')
    .values({
      token_hash: hashLinkToken(token),
      organization_id: target.organizationId,
      study_uid: target.studyUID,
      user_id: viewer.userId,
      session_id: viewer.sessionId,
      expires_date: expiresDate,
    })
    .onConflict((on) =>
      on.columns(['token_hash', 'organization_id', 'study_uid']).doUpdateSet({ expires_date: expiresDate }),
    )
    .execute()
  const options = {
    httpOnly: true,
    sameSite: 'strict',
    secure: deps.settings.publicUrl?.startsWith('https:') ?? false,
    maxAge: launchHours * 3600,
  } as const
  // Set for both paths: image viewers open side by side share one cookie, and each launch adds its study.
  const name = toLaunchCookieName(deps.settings)
  void reply.setCookie(name, token, { ...options, path: '/dicom-web' })
  void reply.setCookie(name, token, { ...options, path: '/launch' })
}

/** The cookie of an earlier launch, if it belongs to the same session. */
async function findOwnToken(deps: Dependencies, request: FastifyRequest, viewer: Viewer): Promise<string | undefined> {
  const token = findLaunchCookie(request)
  if (token === undefined) return undefined
  const row = await deps.db
    .selectFrom('scan_launches')
    .select('session_id')
    .where('token_hash', '=', hashLinkToken(token))
    .where('session_id', '=', viewer.sessionId)
    .limit(1)
    .executeTakeFirst()
  return row && token
}

function toViewerUrl({ studyUID, seriesUID, imageSetID, dataStoreID }: LaunchTarget): string {
  const query = new URLSearchParams({
    StudyInstanceUIDs: studyUID,
    SeriesInstanceUID: seriesUID,
    datastore: dataStoreID,
    ImageSetID: imageSetID,
  })
  return `/viewer/?${query}`
}

function sendRefusedPage(reply: FastifyReply): FastifyReply {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Viewer</title>
<main><h1>This scan cannot be opened</h1>
<p>Your session id is invalid. Please open the application from the product again.</p>
<p><a href="/scan">Back to the scans</a></p></main></html>`
  return reply
    .status(403)
    .headers({ ...pageHeaders, 'content-security-policy': closedPolicy })
    .type('text/html; charset=utf-8')
    .send(html)
}
