import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Release, ReleaseFile } from '@dmp/contract/release'
import { readTrustedRelease } from '@dmp/release/signing/signatures'
import type { FileForm } from '@dmp/release/store/releaseFiles'
import { hasRelease, StoreError, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import { BoundedMap } from '../core/BoundedMap.ts'
import { closedPolicy, workerPolicy } from '../core/contentSecurityPolicy.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  createDifferences,
  isSuccessor,
  readOffer,
  toUseAsDictionary,
  type Offered,
  type ReadDifference,
} from './dictionaries.ts'
import { createPublishedFiles, type ReadPublishedFile } from './publishedFiles.ts'

export interface ReleaseFileRequest {
  Params: { name: string; releaseId: string; '*': string }
}

/** No page is among them: whoever may bring a release would have one on this origin before anybody made it live. */
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
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
  // Of no origin are the frames of guests, which are to have the same files; and nobody's data is in these.
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  // A picture may be opened as a page; it must not do anything there, nor be of this origin.
  'content-security-policy': `${closedPolicy}; sandbox`,
  'referrer-policy': 'no-referrer',
  vary: 'accept-encoding, available-dictionary',
}

/**
 * Sends a file that the release's own document lists, as it was published and in the smallest form that the browser
 * takes; anything else is not there.
 */
export type SendReleaseFile = (
  request: FastifyRequest<ReleaseFileRequest>,
  reply: FastifyReply,
) => Promise<FastifyReply>

export function createReleaseFiles(store: ReleaseStore): SendReleaseFile {
  const findRelease = createReleaseFinder(store)
  const readFile = createPublishedFiles(store)
  const readDifference = createDifferences(readFile)
  return async (request, reply) => {
    const { name, releaseId, '*': filePath } = request.params
    const accepted = request.headers['accept-encoding'] ?? ''
    // Asked for again, a file has to be whole: what the browser has of it may be what is wrong.
    const isAgain = request.url.startsWith('/releases/again/')
    const offered = isAgain ? undefined : readOffer(request.headers)
    const asked = { name, releaseId, filePath, accepted, offered }
    const found = await findFile({ findRelease, readFile, readDifference }, asked).catch((error: unknown) => {
      // Altered, or not signed as its part requires: for pages it is not there.
      if (!(error instanceof StoreError)) throw error
      request.log.warn(error, 'A release is not served.')
      return undefined
    })
    if (found === undefined) {
      reply.callNotFound()
      return reply
    }
    const { content, encoding, useAsDictionary } = found
    const type = path.extname(filePath)
    reply.headers({ ...headers, ...(isWorker(name, type) ? { 'content-security-policy': workerPolicy } : {}) })
    reply.type(types[type] ?? 'application/octet-stream')
    if (encoding !== undefined) reply.header('content-encoding', encoding)
    if (useAsDictionary !== undefined && !isAgain) reply.header('use-as-dictionary', useAsDictionary)
    return reply.send(content)
  }
}

/** Only scripts: a document that came with this policy would run every script of this origin. */
const isWorker = (part: string, type: string): boolean => part === 'viewer' && type === '.js'

interface Asked {
  readonly name: string
  readonly releaseId: string
  readonly filePath: string
  readonly accepted: string
  readonly offered: Offered | undefined
}

interface Readers {
  readonly findRelease: FindRelease
  readonly readFile: ReadPublishedFile
  readonly readDifference: ReadDifference
}

interface Found {
  readonly content: Buffer
  readonly encoding?: string
  readonly useAsDictionary?: string | undefined
}

async function findFile(
  readers: Readers,
  { name, releaseId, filePath, accepted, offered }: Asked,
): Promise<Found | undefined> {
  const { findRelease, readFile } = readers
  const found = await findListed(findRelease, name, releaseId, filePath)
  if (found === undefined) return undefined
  const useAsDictionary = toUseAsDictionary(found.release, found.file)
  const difference = offered && (await findDifference(readers, found, offered))
  if (difference) return { content: difference, encoding: 'dcz', useAsDictionary }
  const { form, ...sent } = chooseForm(found.file, accepted)
  return { ...sent, content: await readFile({ ...found, form }), useAsDictionary }
}

async function findListed(findRelease: FindRelease, name: string, releaseId: string, filePath: string) {
  const release = await findRelease(name, releaseId)
  const file = release?.files.find((entry) => entry.path === filePath)
  return release && file && { release, file }
}

/** Only from a file of the same part and name, as it was published. */
async function findDifference(
  { findRelease, readDifference }: Readers,
  now: { readonly release: Release; readonly file: ReleaseFile },
  { releaseId, path: filePath, hash }: Offered,
): Promise<Buffer | undefined> {
  if (!isSuccessor(filePath, now.file.path)) return undefined
  try {
    const before = await findListed(findRelease, now.release.name, releaseId, filePath)
    const difference = before && (await readDifference({ before, now }))
    return difference?.hash === hash ? difference.content : undefined
  } catch (error) {
    // The release before may be gone or altered, which is no fault of this one.
    if (error instanceof StoreError) return undefined
    throw error
  }
}

interface Form {
  readonly form: FileForm
  readonly encoding?: 'br' | 'gzip'
}

function chooseForm({ bytes, brotli, gzip }: ReleaseFile, accepted: string): Form {
  if (brotli < bytes && /\bbr\b/.test(accepted)) return { form: '.br', encoding: 'br' }
  if (gzip < bytes && /\bgzip\b/.test(accepted)) return { form: '.gz', encoding: 'gzip' }
  return { form: '' }
}

type FindRelease = (name: string, releaseId: string) => Promise<Release | undefined>

/** A key may have been revoked since a release was judged. */
const judgedForMs = 1000
/** A page does not wait longer for a store to say so again. */
const patienceMs = 500
const maxReleases = 1000

interface Judged {
  readonly release: Release
  readonly at: number
}

function createReleaseFinder(store: ReleaseStore): FindRelease {
  const releases = new BoundedMap<string, Judged>(maxReleases)
  /** Requests of one moment share a look. */
  const looks = new BoundedMap<string, Promise<Release | undefined>>(maxReleases)

  async function judge(key: string, name: string, releaseId: string): Promise<Release | undefined> {
    const known = releases.get(key)
    try {
      if (!known && !(await hasRelease(store, name, releaseId))) return undefined
      const release = await readTrustedRelease(store, name, releaseId)
      releases.set(key, { release, at: performance.now() })
      return release
    } catch (error) {
      if (!known || error instanceof StoreError) {
        releases.delete(key)
        throw error
      }
      // A store that is away for a moment takes nothing back, and is not asked again for each file.
      releases.set(key, { release: known.release, at: performance.now() })
      return known.release
    } finally {
      looks.delete(key)
    }
  }

  return async (name, releaseId) => {
    if (!/^(?:host|viewer|remote-[a-z0-9-]+)$/.test(name) || !/^[0-9a-f]{16}$/.test(releaseId)) return undefined
    const key = `${name}/${releaseId}`
    const known = releases.get(key)
    if (known && performance.now() - known.at < judgedForMs) return known.release
    const look = looks.get(key) ?? judge(key, name, releaseId)
    looks.set(key, look)
    if (!known) return look
    const late = new AbortController()
    try {
      return await Promise.race([look, pause(patienceMs, known.release, { ref: false, signal: late.signal })])
    } finally {
      late.abort()
    }
  }
}
