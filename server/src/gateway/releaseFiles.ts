import path from 'node:path'
import type { Release, ReleaseFile } from '@dmp/contract/release'
import { readTrustedRelease } from '@dmp/release/signing/signatures'
import { hasRelease, releaseKey, StoreError, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import { closedPolicy, workerPolicy } from '../core/contentSecurityPolicy.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface ReleaseFileRequest {
  Params: { name: string; releaseId: string; '*': string }
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

const headers = {
  // The address holds the name of the content, which never changes.
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  // A script may be opened as a page; it must not do anything there.
  'content-security-policy': closedPolicy,
  'referrer-policy': 'no-referrer',
  vary: 'accept-encoding',
}

const releasesByStore = new WeakMap<ReleaseStore, Map<string, Release>>()

/**
 * Sends a file that the release's own document lists, in the smallest form that the browser takes; anything else is not
 * there.
 */
export async function sendReleaseFile(
  store: ReleaseStore,
  request: FastifyRequest<ReleaseFileRequest>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { name, releaseId, '*': filePath } = request.params
  const release = await findRelease(store, name, releaseId).catch((error: unknown) => {
    // Altered, or not signed as its part requires: for pages it is not there.
    if (!(error instanceof StoreError)) throw error
    request.log.warn(error, 'A release is not served.')
    return undefined
  })
  const file = release?.files.find((entry) => entry.path === filePath)
  const { suffix, encoding, length } = chooseForm(file, request.headers['accept-encoding'] ?? '')
  const content = file && (await store.stream(`${releaseKey(name, releaseId, file.path)}${suffix}`))
  if (file === undefined || content === undefined) {
    reply.callNotFound()
    return reply
  }
  reply.headers({ ...headers, ...(name === 'viewer' ? { 'content-security-policy': workerPolicy } : {}) })
  reply.type(types[path.extname(file.path)] ?? 'application/octet-stream').header('content-length', length)
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.send(content)
}

interface Form {
  readonly suffix: '' | '.br' | '.gz'
  readonly encoding?: 'br' | 'gzip'
  readonly length: number
}

function chooseForm(file: ReleaseFile | undefined, accepted: string): Form {
  if (file && file.brotli < file.bytes && /\bbr\b/.test(accepted))
    return { suffix: '.br', encoding: 'br', length: file.brotli }
  if (file && file.gzip < file.bytes && /\bgzip\b/.test(accepted))
    return { suffix: '.gz', encoding: 'gzip', length: file.gzip }
  return { suffix: '', length: file?.bytes ?? 0 }
}

async function findRelease(store: ReleaseStore, name: string, releaseId: string): Promise<Release | undefined> {
  if (!/^(?:host|viewer|remote-[a-z0-9-]+)$/.test(name) || !/^[0-9a-f]{16}$/.test(releaseId)) return undefined
  const key = `${name}/${releaseId}`
  const releases = releasesByStore.get(store) ?? new Map<string, Release>()
  releasesByStore.set(store, releases)
  const cachedRelease = releases.get(key)
  if (cachedRelease) return cachedRelease
  if (!(await hasRelease(store, name, releaseId))) return undefined
  const release = await readTrustedRelease(store, name, releaseId)
  releases.set(key, release)
  return release
}
