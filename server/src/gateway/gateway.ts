import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Release } from '@dmp/contract/release'
import type { Override } from '@dmp/contract/override'
import type { RuntimeSettings } from '@dmp/contract/settings'
import type { Person } from '@dmp/release/canary'
import { applyOverrides } from '@dmp/release/applyOverrides'
import { compose, type Composition } from '@dmp/release/composition'
import { createHolds } from '@dmp/release/holds'
import { readTrustedRelease } from '@dmp/release/signing/signatures'
import { readRegistry, StoreError, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createCompositions } from './compositions.ts'
import { guestPage, guestPolicy } from './guestPage.ts'
import { partWatch, partWatchHeaders, partWatchPath } from './pageGround.ts'
import { createReleaseFiles, type ReleaseFileRequest } from './releaseFiles.ts'
import { createSayLive } from './samePage.ts'
import {
  comingPage,
  comingSeconds,
  findRemoteAt,
  hostPage,
  nothingLivePage,
  pageStatus,
  unreadablePage,
  viewerPage,
} from './pages.ts'
import { contentPolicy, guestHeaders, pageHeaders, viewerPolicy } from '../core/contentSecurityPolicy.ts'
import { forEverybody } from '../core/access.ts'
import { imageViewer } from '../core/imageViewer.ts'

/** The overrides that count for the page that is asked for. */
export type OverrideReader = (request: FastifyRequest, reply: FastifyReply) => Promise<readonly Override[]>

export interface GatewayDependencies {
  readonly store: ReleaseStore
  readonly runtimeSettings: RuntimeSettings
  /**
   * The person whose browser asks, where a user signed in on it: some people get canaries. No person does where left
   * out.
   */
  readonly findPerson?: (request: FastifyRequest, reply: FastifyReply) => Person | undefined
  /** Told of each page that goes out. */
  readonly pageServed?: (request: FastifyRequest, reply: FastifyReply, page: ServedPage) => void
  /** The releases that single browsers get in place of the live ones; none where left out. */
  readonly readOverrides?: OverrideReader
  /** Where pages get the files of releases, when not from this server; they are served here all the same. */
  readonly releases?: string | undefined
  /** What is still being built, in people's words; nothing where left out. */
  readonly listComing?: (() => readonly string[]) | undefined
}

interface PartRelease {
  readonly part: string
  readonly releaseId: string
}

/** A page that went out: the releases that it is made of, and those that it asks for at once. */
export interface ServedPage {
  readonly releases: readonly PartRelease[]
  readonly needed: readonly PartRelease[]
}

/** Pages never lie below these paths: the server answers unknown addresses there with its own 404. */
const notPages = /^\/(?:api|guest-frame|live|dicom-web|dev|releases|healthz|readyz|metrics)(?:\/|$)/i
/** The pages that strangers may find by a search engine. */
const publicPages: ReadonlySet<string> = new Set(['/', '/login', '/register'])
const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)]

/**
 * Answers every page address with the host's page (settings and snapshot inside), `/releases/…` with immutable,
 * compressed files, and `/viewer/` with the quick viewer. Each page reads the live releases from the registry, so an
 * activation or a rollback holds for the next page that anybody opens, in every server process.
 */
export function registerGateway(app: FastifyInstance, deps: GatewayDependencies): void {
  const pages = createPageReader(app, deps)
  const files = { config: { limit: 'release file', access: forEverybody } } as const
  const sendFile = createReleaseFiles(deps.store)
  const page = { config: { limit: 'page', access: forEverybody } } as const

  app.get<ReleaseFileRequest>('/releases/:name/:releaseId/*', files, sendFile)
  // The same files under a second address: a request that hangs is joined by every later one for the same address.
  app.get<ReleaseFileRequest>('/releases/again/:name/:releaseId/*', files, sendFile)

  // For open pages: which snapshot a page that the same person opened now would get. Those of an earlier one say so,
  // and its releases stay for them.
  const noteHold = createHolds(deps.store)
  const sayLive = createSayLive(deps.store)
  app.get('/releases/live', page, async (request, reply) => {
    const composition = await pages.readLive(request, reply)
    if (composition === undefined || composition === 'unreadable') return reply.callNotFound()
    const held = new URLSearchParams(queryOf(request)).get('of')
    if (held !== null && held !== composition.page.id)
      await noteHold(held).catch((error: unknown) => app.log.warn(error))
    return reply.header('cache-control', 'no-store').send({ data: { snapshot: await sayLive(held, composition) } })
  })

  app.get(partWatchPath, files, (_request, reply) =>
    reply.headers(partWatchHeaders(deps.runtimeSettings)).type('text/javascript; charset=utf-8').send(partWatch),
  )

  app.get<GuestRequest>('/guest-frame/:part/:releaseId/:host', page, (request, reply) =>
    sendGuestPage(deps, request, reply),
  )

  const viewer = (request: FastifyRequest, reply: FastifyReply) => sendViewerPage(deps, pages, request, reply)
  app.get('/viewer/', page, viewer)
  // A server that takes /viewer for /viewer/ has one route for both.
  if (!app.hasRoute({ method: 'GET', url: '/viewer' })) app.get('/viewer', page, viewer)

  app.get('/*', page, (request, reply) => sendHostPage(deps, pages, request, reply))
}

interface PageReader {
  /** The composition that the person of this request gets; undefined where nothing is live. */
  readLive(request: FastifyRequest, reply: FastifyReply): Promise<Composition | 'unreadable' | undefined>
  /** The composition with the overrides of this browser. */
  applyOverrides(request: FastifyRequest, reply: FastifyReply, composition: Composition): Promise<Composition>
}

function createPageReader(app: FastifyInstance, deps: GatewayDependencies): PageReader {
  const compositionFor = createCompositions(deps.store, (error) =>
    app.log.error(error, 'The release registry cannot be read.'),
  )
  return {
    readLive: async (request, reply) => compositionFor(deps.findPerson?.(request, reply)),
    applyOverrides: async (request, reply, composition) => {
      const overrides = (await deps.readOverrides?.(request, reply)) ?? []
      if (overrides.length === 0) return composition
      return applyOverrides(deps.store, composition, overrides).catch((error: unknown) => {
        app.log.warn(error, 'Overrides of a browser were left out.')
        return composition
      })
    },
  }
}

async function sendViewerPage(
  { runtimeSettings, pageServed, listComing }: GatewayDependencies,
  pages: PageReader,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!pathOf(request).endsWith('/')) return reply.redirect(`/viewer/${queryOf(request)}`)
  const composition = await pages.readLive(request, reply)
  const own =
    composition === 'unreadable' || composition === undefined
      ? undefined
      : await pages.applyOverrides(request, reply, composition)
  const release = own?.viewer
  if (release === undefined && (listComing?.() ?? []).includes(imageViewer)) {
    void reply.header('retry-after', String(comingSeconds))
    const policy = contentPolicy({ nonce: '', settings: runtimeSettings })
    return sendCompressed(request, reply, 503, policy, comingPage(runtimeSettings))
  }
  if (release === undefined) {
    reply.callNotFound()
    return reply
  }
  const nonce = own?.page.overrides === undefined ? randomBytes(16).toString('base64') : undefined
  if (nonce !== undefined)
    pageServed?.(request, reply, { releases: [{ part: 'viewer', releaseId: release.releaseId }], needed: [] })
  return sendCompressed(request, reply, 200, viewerPolicy(nonce), viewerPage(release, runtimeSettings, nonce))
}

async function sendHostPage(
  { runtimeSettings, releases, pageServed, listComing }: GatewayDependencies,
  pages: PageReader,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const path = pathOf(request)
  if (notPages.test(path)) {
    reply.callNotFound()
    return reply
  }
  const live = await pages.readLive(request, reply)
  if (live === undefined || live === 'unreadable') {
    const html = live === undefined ? nothingLivePage(runtimeSettings) : unreadablePage(runtimeSettings)
    return sendCompressed(request, reply, 503, contentPolicy({ nonce: '', settings: runtimeSettings }), html)
  }
  const composition = await pages.applyOverrides(request, reply, live)
  const nonce = randomBytes(16).toString('base64')
  const policy = contentPolicy({
    nonce,
    settings: runtimeSettings,
    overrides: composition.page.overrides,
    hasGuests: composition.page.remotes.some(({ guest }) => guest),
    releases,
  })
  const coming = listComing?.() ?? []
  const settings = coming.length === 0 ? runtimeSettings : { ...runtimeSettings, coming: [...coming] }
  const acceptLanguage = request.headers['accept-language']
  const html = hostPage({ nonce, path, address: request.url, composition, settings, releases, acceptLanguage })
  if (publicPages.has(path)) void reply.header('x-robots-tag', 'all')
  const status = pageStatus(composition, path)
  // A page with overrides says nothing about the releases that others get.
  if (status === 200 && composition.page.overrides === undefined)
    pageServed?.(request, reply, toServedPage(composition, path))
  return sendCompressed(request, reply, status, policy, html)
}

interface GuestRequest {
  Params: { part: string; releaseId: string; host: string }
}

/**
 * The page that runs a guest, of the releases that the page around it has. It is the same for everybody, and whoever
 * opens it by itself finds it as closed as in its frame.
 */
async function sendGuestPage(
  { store, runtimeSettings, releases }: GatewayDependencies,
  request: FastifyRequest<GuestRequest>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { part, releaseId, host: hostId } = request.params
  const found = await findGuestReleases(store, part, releaseId, hostId)
  if (found === undefined || !/^[\w.:[\]-]+$/.test(request.host)) {
    reply.callNotFound()
    return reply
  }
  const own = `${request.protocol}://${request.host}/releases`
  const policy = guestPolicy({ ...found, releases: releases ?? own })
  const query = new URLSearchParams(queryOf(request))
  const html = guestPage({ ...found, settings: runtimeSettings, releases, query })
  return sendCompressed(request, reply, 200, policy, html, guestHeaders)
}

async function findGuestReleases(
  store: ReleaseStore,
  part: string,
  releaseId: string,
  hostId: string,
): Promise<{ host: Release; remote: Release } | undefined> {
  if (!isRemoteName(part) || !isReleaseId(releaseId) || !isReleaseId(hostId)) return undefined
  try {
    const [host, remote] = await Promise.all([
      readTrustedRelease(store, 'host', hostId),
      readTrustedRelease(store, part, releaseId),
    ])
    return remote.declaration === undefined ? undefined : { host, remote }
  } catch (error) {
    if (error instanceof StoreError) return undefined
    throw error
  }
}

const isRemoteName = (name: string): boolean => /^remote-[a-z0-9-]{1,60}$/.test(name)
const isReleaseId = (name: string): boolean => /^[0-9a-f]{16}$/.test(name)

function toServedPage(composition: Composition, path: string): ServedPage {
  const toPart = ({ name, releaseId }: { name: string; releaseId: string }) => ({ part: name, releaseId })
  const { host, remotes } = composition
  const shown = findRemoteAt(composition, path)
  return {
    releases: [host, ...remotes.values()].map(toPart),
    needed: (shown === undefined ? [host] : [host, shown]).map(toPart),
  }
}

/**
 * Throws where no page can be served: nothing is live, or the live documents cannot be read (`StoreError`).
 */
export async function assertComposed(store: ReleaseStore): Promise<void> {
  const registry = await readRegistry(store)
  if (registry === undefined || (await compose(store, registry.live)).page.id !== registry.live)
    throw new Error('nothing is live in the release registry')
}

async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  policy: string,
  html: string,
  headers: Readonly<Record<string, string>> = pageHeaders,
): Promise<FastifyReply> {
  const accepted = request.headers['accept-encoding'] ?? ''
  reply
    .status(status)
    .headers({ ...headers, 'content-security-policy': policy })
    .type('text/html; charset=utf-8')
  if (/\bbr\b/.test(accepted))
    return reply.header('content-encoding', 'br').send(
      await brotli(html, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
      }),
    )
  if (/\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(await zip(html))
  return reply.send(html)
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/'
const queryOf = (request: FastifyRequest): string => request.url.slice(pathOf(request).length)
