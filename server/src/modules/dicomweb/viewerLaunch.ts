import { randomBytes } from 'node:crypto'
import { may, permits } from '@dmp/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Dependencies } from '../../dependencies.ts'
import { authenticate } from '../../identity/authenticate.ts'
import { toCaller } from '../../core/caller.ts'
import type { Viewer } from '../../core/context.ts'
import { pageHeaders } from '../../core/contentSecurityPolicy.ts'
import { notFound } from '../../core/errors.ts'
import { visibleTo } from '../../core/tenant.ts'
import type { RecordAccess } from './dicomweb.routes.ts'
import { hashToken, launchCookie } from './scope.ts'

/**
 * A viewer that is left open reads on for this long; then View is pressed again. It ends with the session in any case.
 */
const LAUNCH_HOURS = 8

interface Target {
  readonly organizationId: string
  readonly dataStoreID: string
  readonly imageSetID: string
  readonly studyUID: string
  readonly seriesUID: string
}

/**
 * `/launch` turns a signed-in session into access for the image viewer (7.42): an HttpOnly cookie for `/dicom-web` that
 * reads the launched studies and nothing else. The address that the viewer gets holds no secret.
 */
export function registerLaunch(app: FastifyInstance, deps: Dependencies, seen: RecordAccess): void {
  app.get('/launch', async (request, reply) => {
    const launched = await fromSession(deps, request)
    if (!launched) return refusedPage(reply)
    await grant(deps, request, reply, launched.viewer, launched.target, seen)
    return reply.redirect(viewerAddress(launched.target), 303)
  })

  app.post('/launch', async (request, reply) => {
    const viewer = await authenticate(deps, request)
    const { imageSetID } = (request.body ?? {}) as { imageSetID?: unknown }
    const target = await findTarget(deps, viewer, String(imageSetID ?? ''))
    if (!target) throw notFound()
    await grant(deps, request, reply, viewer, target, seen)
    return { data: { url: viewerAddress(target) } }
  })
}

const one = (query: Readonly<Record<string, unknown>>, name: string): string =>
  typeof query[name] === 'string' ? query[name] : ''

/**
 * The session id is a label that the live channel bound to a session. A label found elsewhere (history, a screenshot)
 * is of no use: browsers say that the navigation did not come from the product's own page, and the label ends with its
 * session.
 */
async function fromSession(
  deps: Dependencies,
  request: FastifyRequest,
): Promise<{ viewer: Viewer; target: Target } | undefined> {
  const query = request.query as Record<string, unknown>
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return undefined
  const bound = await deps.db
    .selectFrom('session_labels')
    .innerJoin('sessions', 'sessions.id', 'session_labels.session_id')
    .select(['sessions.id', 'sessions.user_id'])
    .where('session_labels.label', '=', one(query, 'sessionId'))
    .executeTakeFirst()
  const viewer = bound && (await deps.viewers.ofSession(bound.id, bound.user_id))
  const target = viewer && (await findTarget(deps, viewer, one(query, 'ImageSetID')))
  if (!viewer || !target || target.dataStoreID !== one(query, 'datastore')) return undefined
  const studies = one(query, 'StudyInstanceUIDs').split(/[,\\]/)
  return studies.includes(target.studyUID) ? { viewer, target } : undefined
}

async function findTarget(deps: Dependencies, viewer: Viewer, imageSetID: string): Promise<Target | undefined> {
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

async function grant(
  deps: Dependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  viewer: Viewer,
  target: Target,
  seen: RecordAccess,
): Promise<void> {
  const expires = new Date(Date.now() + LAUNCH_HOURS * 3_600_000)
  await seen(
    { viewer, request: toCaller(request) },
    {
      event: 'ScanViewed',
      organizationId: target.organizationId,
      subject: { studyUID: target.studyUID, seriesUID: target.seriesUID, isLaunch: true },
    },
  )
  const token = (await ownToken(deps, request, viewer)) ?? randomBytes(32).toString('base64url')
  await deps.db.deleteFrom('scan_launches').where('expires_date', '<', new Date()).execute()
  await deps.db
    .insertInto('scan_launches')
    .values({
      token_hash: hashToken(token),
      organization_id: target.organizationId,
      study_uid: target.studyUID,
      user_id: viewer.userId,
      session_id: viewer.sessionId,
      expires_date: expires,
    })
    .onConflict((on) =>
      on.columns(['token_hash', 'organization_id', 'study_uid']).doUpdateSet({ expires_date: expires }),
    )
    .execute()
  const options = {
    httpOnly: true,
    sameSite: 'strict',
    secure: deps.settings.publicUrl?.startsWith('https:') ?? false,
    maxAge: LAUNCH_HOURS * 3600,
  } as const
  // Under both paths: several viewers open side by side share one cookie, each launch adding its study.
  void reply.setCookie(launchCookie, token, { ...options, path: '/dicom-web' })
  void reply.setCookie(launchCookie, token, { ...options, path: '/launch' })
}

/** The cookie of an earlier launch, if it was of the same session. */
async function ownToken(deps: Dependencies, request: FastifyRequest, viewer: Viewer): Promise<string | undefined> {
  const token = request.cookies[launchCookie]
  if (token === undefined) return undefined
  const row = await deps.db
    .selectFrom('scan_launches')
    .select('session_id')
    .where('token_hash', '=', hashToken(token))
    .where('session_id', '=', viewer.sessionId)
    .limit(1)
    .executeTakeFirst()
  return row && token
}

function viewerAddress({ studyUID, seriesUID, imageSetID, dataStoreID }: Target): string {
  return `/viewer/?${new URLSearchParams({ StudyInstanceUIDs: studyUID, SeriesInstanceUID: seriesUID, datastore: dataStoreID, ImageSetID: imageSetID })}`
}

function refusedPage(reply: FastifyReply): FastifyReply {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Viewer</title>
<main><h1>This scan cannot be opened</h1>
<p>Your session id is invalid. Please open the application from the product again.</p>
<p><a href="/scan">Back to the scans</a></p></main></html>`
  return reply
    .status(403)
    .headers({
      ...pageHeaders,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    })
    .type('text/html; charset=utf-8')
    .send(html)
}
