import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import type { Release, ReleaseFile } from '@dmp/contract/release'
import { LRUCache } from 'lru-cache'
import { findCurrentTurn } from '../core/asker.ts'
import { FairTurns, TooManyWaiting } from '../core/fairTurns.ts'
import type { ReadPublishedFile } from './publishedFiles.ts'

const compress = promisify(zstdCompress)

/** What a browser has of a file and offers to build upon. */
export interface Offered {
  readonly releaseId: string
  readonly path: string
  /** SHA-256 of the content, base64. */
  readonly hash: string
}

/** RFC 9842, section 2.1: says for which later addresses a browser may offer this file. */
export function toUseAsDictionary({ name, releaseId }: Release, { path }: ReleaseFile): string | undefined {
  const stem = stemOf(path)
  // Other letters would mean something in a pattern (WHATWG URL).
  if (stem === undefined || !/^[\w/-]+\.[\w.*]+$/.test(stem)) return undefined
  return `match="/releases/${name}/*/${stem}", id="${releaseId}/${path}"`
}

/** The offer in the headers of a request (RFC 9842, sections 2.2 and 2.3); undefined where there is none of ours. */
export function readOffer(headers: Readonly<Record<string, string | string[] | undefined>>): Offered | undefined {
  if (!/\bdcz\b/.test(String(headers['accept-encoding'] ?? ''))) return undefined
  const [, hash] = /^:([A-Za-z0-9+/]{43}=):$/.exec(String(headers['available-dictionary'] ?? '')) ?? []
  const [, releaseId, path] = /^"([0-9a-f]{16})\/([\w./-]{1,200})"$/.exec(String(headers['dictionary-id'] ?? '')) ?? []
  return hash && releaseId && path ? { hash, releaseId, path } : undefined
}

/** Names of which one is the other's successor: `App.50145412.js` is `App.*.js` in every release. */
export const isSuccessor = (before: string, now: string): boolean =>
  stemOf(before) !== undefined && stemOf(before) === stemOf(now)

/** A typeface that stayed as it is takes a hundred bytes this way, too; maps are for developers. */
function stemOf(path: string): string | undefined {
  const parts = path.split('.')
  if (parts.length < 2 || parts.at(-1) === 'map') return undefined
  return parts.map((part, index) => (index > 0 && /^[0-9a-f]{8,20}$/.test(part) ? '*' : part)).join('.')
}

interface Step {
  readonly before: { readonly release: Release; readonly file: ReleaseFile }
  readonly now: { readonly release: Release; readonly file: ReleaseFile }
}

interface Difference {
  /** SHA-256 of what it builds upon, base64. */
  readonly hash: string
  /** Left out where the file's own smallest form is no larger. */
  readonly content?: Buffer
}

/** The difference between two files in the form `dcz` (RFC 9842, section 5). */
export type ReadDifference = (step: Step) => Promise<Difference | undefined>

/** A release differs from the one before by kilobytes. */
const mostBytes = 16 * 2 ** 20
/** A few milliseconds each, 30 for the viewer's largest file. */
const making = { atOnce: 1, perCustomer: 1, perPerson: 1, waitingPerPerson: 64, waitingInAll: 256 } as const
/** A file of 0.6 MB against itself with a line changed: 0.2 kB in 16 ms. The highest level saves 25 bytes in 53 ms. */
const level = 9
/** Browsers take windows of 8 MB, whatever the dictionary's size. */
const [leastWindow, mostWindow] = [10, 23]

/**
 * Makes files out of those that a browser has already, when one asks, and remembers what it made: who was here before a
 * release downloads its lines, not its files. Answers nothing where so many wait that the whole file is there sooner.
 */
export function createDifferences(readFile: ReadPublishedFile): ReadDifference {
  const turns = new FairTurns(making)
  const made = new LRUCache<string, Difference, Step>({
    maxSize: mostBytes,
    sizeCalculation: ({ content }) => 256 + (content?.length ?? 0),
    fetchMethod: (_key, _before, { context }) => turns.run(findCurrentTurn(), () => makeDifference(readFile, context)),
  })
  return async (step) => {
    const key = [step.before, step.now].map(({ release, file }) => `${release.name}/${release.releaseId}/${file.path}`)
    try {
      return await made.fetch(key.join(' '), { context: step })
    } catch (error) {
      if (error instanceof TooManyWaiting) return undefined
      throw error
    }
  }
}

async function makeDifference(readFile: ReadPublishedFile, { before, now }: Step): Promise<Difference> {
  const [dictionary, content] = await Promise.all([
    readFile({ ...before, form: '' }),
    readFile({ ...now, form: '' }),
  ] as const)
  const { hash, difference } = await buildUpon(dictionary, content)
  return {
    hash: hash.toString('base64'),
    ...(difference.length < Math.min(now.file.brotli, now.file.bytes) && { content: difference }),
  }
}

/** The form `dcz` of a content for those who have the dictionary (RFC 9842, section 5), and that one's SHA-256. */
export async function buildUpon(dictionary: Buffer, content: Buffer): Promise<{ hash: Buffer; difference: Buffer }> {
  const hash = createHash('sha256').update(dictionary).digest()
  const window = Math.ceil(Math.log2(dictionary.length + content.length + 1))
  const compressed = await compress(content, {
    dictionary,
    params: {
      [constants.ZSTD_c_compressionLevel]: level,
      [constants.ZSTD_c_windowLog]: Math.min(mostWindow, Math.max(leastWindow, window)),
    },
  })
  return { hash, difference: Buffer.concat([start, hash, compressed]) }
}

/** A frame that decoders skip; the dictionary's hash is in it. */
const start = Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 0x20, 0x00, 0x00, 0x00])
