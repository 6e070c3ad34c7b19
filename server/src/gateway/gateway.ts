import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Override } from '@dmp/contract/override'
import type { RuntimeSettings } from '@dmp/contract/settings'
import type { Person } from '@dmp/release/canary'
import { overridden } from '@dmp/release/overridden'
import { compose, type Composition } from '@dmp/release/pageSnapshot'
import { readRegistry, type Store } from '@dmp/release/store'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createCompositions } from './compositions.ts'
import { sendReleaseFile, type ReleaseFileRequest } from './releaseFiles.ts'
import { hostPage, nothingLivePage, pageStatus, unreadablePage, viewerPage } from './pages.ts'
import { contentPolicy, pageHeaders, viewerPolicy } from '../core/contentSecurityPolicy.ts'

/** The overrides that count for the page that is asked for. */
export type OverrideReader = (request: FastifyRequest, reply: FastifyReply) => Promise<readonly Override[]>

export interface GatewayDependencies {
  readonly store: Store
  readonly runtimeSettings: RuntimeSettings
  /**
   * Whose browser it is that asks, where somebody signed in on it: some people get canaries. Nobody does where left
   * out.
   */
  readonly personOf?: (request: FastifyRequest, reply: FastifyReply) => Person | undefined
  /** What single browsers get in place of what is live; nobody gets anything where left out. */
  readonly overridesOf?: OverrideReader
  /** Where pages get the files of releases, when not from this server; they are served here all the same. */
  readonly releases?: string | undefined
}

/** What pages never lie under: unknown addresses below these are answered by the server's own 404. */
const notPages = /^\/(?:api|live|dicom-web|dev|releases|healthz|readyz|metrics)(?:\/|$)/i
const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)]

/**
 * Answers every page address with the host's page (settings and snapshot inside), `/releases/…` with immutable,
 * compressed files, and `/viewer/` with the quick viewer. What is live is read from the registry at each page, so an
 * activation or a rollback holds for the next page that anybody opens, in every server process.
 */
export function registerGateway(app: FastifyInstance, deps: GatewayDependencies): void {
  const compositionFor = createCompositions(deps.store, (error) =>
    app.log.error(error, 'The release registry cannot be read.'),
  )
  const live = (request: FastifyRequest, reply: FastifyReply) => compositionFor(deps.personOf?.(request, reply))
  const forBrowser = async (
    request: FastifyRequest,
    reply: FastifyReply,
    composition: Composition,
  ): Promise<Composition> => {
    const overrides = (await deps.overridesOf?.(request, reply)) ?? []
    if (overrides.length === 0) return composition
    return overridden(deps.store, composition, overrides).catch((error: unknown) => {
      app.log.warn(error, 'Overrides of a browser were left out.')
      return composition
    })
  }

  app.get<ReleaseFileRequest>('/releases/:name/:releaseId/*', (request, reply) =>
    sendReleaseFile(deps.store, request, reply),
  )
  // The same files under a second address: a request that hangs is joined by every later one for the same address.
  app.get<ReleaseFileRequest>('/releases/again/:name/:releaseId/*', (request, reply) =>
    sendReleaseFile(deps.store, request, reply),
  )

  // For open pages: which snapshot a page that the same person opened now would get.
  app.get('/releases/live', async (request, reply) => {
    const composition = await live(request, reply)
    if (composition === undefined || composition === 'unreadable') return reply.callNotFound()
    return reply.header('cache-control', 'no-store').send({ data: { snapshot: composition.page.id } })
  })

  const viewer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // A server that takes /viewer for /viewer/ has one route for both.
    if (!pathOf(request).endsWith('/')) return reply.redirect(`/viewer/${queryOf(request)}`)
    const composition = await live(request, reply)
    const release =
      composition === 'unreadable' || composition === undefined
        ? undefined
        : (await forBrowser(request, reply, composition)).viewer
    if (release === undefined) {
      reply.callNotFound()
      return reply
    }
    return answer(request, reply, 200, viewerPolicy(), viewerPage(release, deps.runtimeSettings))
  }
  app.get('/viewer/', viewer)
  if (!app.hasRoute({ method: 'GET', url: '/viewer' })) app.get('/viewer', viewer)

  app.get('/*', async (request, reply) => {
    const path = pathOf(request)
    if (notPages.test(path)) return reply.callNotFound()
    const everybodys = await live(request, reply)
    if (everybodys === undefined || everybodys === 'unreadable') {
      const html =
        everybodys === undefined ? nothingLivePage(deps.runtimeSettings) : unreadablePage(deps.runtimeSettings)
      return answer(request, reply, 503, contentPolicy({ nonce: '', settings: deps.runtimeSettings }), html)
    }
    const composition = await forBrowser(request, reply, everybodys)
    const nonce = randomBytes(16).toString('base64')
    const html = hostPage({ nonce, path, composition, settings: deps.runtimeSettings, releases: deps.releases })
    return answer(
      request,
      reply,
      pageStatus(composition, path),
      contentPolicy({
        nonce,
        settings: deps.runtimeSettings,
        overrides: composition.page.overrides,
        releases: deps.releases,
      }),
      html,
    )
  })
}

/** Throws where no page can be served: nothing is live, or the documents of what is live cannot be read (`StoreError`). */
export async function assertComposed(store: Store): Promise<void> {
  const registry = await readRegistry(store)
  if (registry === undefined || (await compose(store, registry.live)).page.id !== registry.live)
    throw new Error('nothing is live in the release registry')
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  policy: string,
  html: string,
): Promise<FastifyReply> {
  const accepted = request.headers['accept-encoding'] ?? ''
  reply
    .status(status)
    .headers({ ...pageHeaders, 'content-security-policy': policy })
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
