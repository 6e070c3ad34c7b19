import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { someSettings } from '../../shared/contract/src/examples/index.ts'
import type { Release } from '../../shared/contract/src/release.ts'
import { buildUpon } from '../../server/src/gateway/dictionaries.ts'
import { findRemoteAt, hostPage } from '../../server/src/gateway/pages.ts'
import {
  composeSnapshot,
  getIntegrity,
  openFolderStore,
  publishParts,
  releaseKey,
  toIntegrity,
  type Composition,
  type ReleaseStore,
} from '../../shared/release/src/index.ts'
import { readMap } from '../../shared/release/src/maps.ts'
import { checkoutStore, listPartsOfPage } from '../workspace/builds.ts'
import { readJson, root } from '../workspace/files.ts'
import { countBySource, toSource } from '../workspace/sourceBytes.ts'

/** What is asked of a first visit to an address, and of the next one after somebody changed a line. */
export interface PageFigures {
  /** The page and the files that it names. */
  readonly requests: number
  /** All of that as it travels (brotli). */
  readonly bytes: number
  /** Files that come again after one changed line of the host: for browsers that keep dictionaries, and for others. */
  readonly afterHostLine: number
  readonly afterHostLineWhole: number
  /** The same for a line of the remote that shows the address. */
  readonly afterRemoteLine: number
  readonly afterRemoteLineWhole: number
}

export interface Weighed {
  readonly figures: Readonly<Record<string, PageFigures>>
  /** Bytes of each file (brotli), by address and by part and name without hash. */
  readonly files: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Characters of each source in the files of all addresses, before compression. */
  readonly sources: Readonly<Record<string, number>>
}

/** `firstPages.json`: what was accepted last. `figures` are the limits: a hundredth above what was weighed then. */
export type Accepted = Weighed

/** People sign in, then work here; these three stand for all. */
const addresses = ['/login', '/scan', '/scan/worklist'] as const
const acceptedFile = 'scripts/bench/firstPages.json'
const cure = 'Load later what a first drawing does not need; or accept it by `npm run build -- --accept`, and say why.'

/** The built product's first pages beside what was accepted: what is too heavy, and what made it so. */
export async function checkFirstPages(): Promise<string[]> {
  return judgeFirstPages(await weighBuilt(), readJson(acceptedFile) as Accepted)
}

/** Makes what is built now the measure for what comes. */
export async function acceptFirstPages(): Promise<void> {
  const weighed = await weighBuilt()
  const figures = Object.fromEntries(
    Object.entries(weighed.figures).map(([address, of]) => [address, withRoom(of)] as const),
  )
  writeFileSync(join(root, acceptedFile), `${JSON.stringify({ ...weighed, figures }, null, 2)}\n`)
}

async function weighBuilt(): Promise<Weighed> {
  const store = openFolderStore(checkoutStore)
  const refs = await publishParts(store, { only: listPartsOfPage() })
  const host = refs.find(({ name }) => name === 'host')
  if (host === undefined) throw new Error('The host is not built. Run npm run build.')
  return weighFirstPages(store, await composeSnapshot(store, { host, remotes: refs.filter((ref) => ref !== host) }))
}

/** A hundredth and a little more, so that not every word that is added is a question. */
function withRoom(figures: PageFigures): PageFigures {
  const { requests, ...bytes } = figures
  const wide = Object.entries(bytes).map(([name, value]) => [name, Math.ceil((value * 1.01 + 100) / 100) * 100])
  return { requests, ...(Object.fromEntries(wide) as Omit<PageFigures, 'requests'>) }
}

interface NamedFile {
  readonly release: Release
  readonly path: string
}

/** Weighs the pages of these addresses as the server makes them, with the files that they name. */
export async function weighFirstPages(
  store: ReleaseStore,
  composition: Composition,
  of: readonly string[] = addresses,
): Promise<Weighed> {
  const figures: Record<string, PageFigures> = {}
  const files: Record<string, Record<string, number>> = {}
  const sources: Record<string, number> = {}
  const counted = new Set<string>()
  for (const path of of) {
    const html = hostPage({ nonce: 'weighed', path, composition, settings: someSettings({}) })
    const page = brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length
    const named = listNamedFiles(html, composition)
    const remote = findRemoteAt(composition, path)
    const [afterHostLine, afterRemoteLine] = await Promise.all(
      [composition.host, remote].map(async (part) => (part ? weighAfterLine(store, part, named) : [0, 0])),
    )
    figures[path] = {
      requests: 1 + named.length,
      bytes: page + sum(named.map(sizeOf)),
      afterHostLine: afterHostLine?.[0] ?? 0,
      afterHostLineWhole: afterHostLine?.[1] ?? 0,
      afterRemoteLine: afterRemoteLine?.[0] ?? 0,
      afterRemoteLineWhole: afterRemoteLine?.[1] ?? 0,
    }
    files[path] = { page, ...Object.fromEntries(named.map((file) => [toLabel(file), sizeOf(file)] as const)) }
    for (const file of named) {
      const key = `${file.release.name}/${file.path}`
      if (!counted.has(key)) await countSources(store, file, sources)
      counted.add(key)
    }
  }
  return { figures, files, sources: inOrder(sources) }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const inOrder = (record: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))

function listNamedFiles(html: string, { host, remotes }: Composition): NamedFile[] {
  const quoted = html.split('"')
  const urls = quoted.filter((_text, index) => /(?:src|href)=$/.test(quoted[index - 1] ?? ''))
  return urls.flatMap((url) => {
    const [, folder, name = '', , ...path] = url.split('/')
    const release = name === 'host' ? host : remotes.get(name)
    return folder === 'releases' && release ? [{ release, path: path.join('/') }] : []
  })
}

const sizeOf = ({ release, path }: NamedFile): number => release.files.find((file) => file.path === path)?.brotli ?? 0

const toLabel = ({ release, path }: NamedFile): string => `${release.name} ${withoutHash(path)}`

const withoutHash = (path: string): string => path.replace(/\.[0-9a-f]{8,20}(?=\.)/, '.*')

async function readText(store: ReleaseStore, { release, path }: NamedFile): Promise<string> {
  const content = await store.read(releaseKey(release.name, release.releaseId, path))
  if (content === undefined) throw new Error(`${path} of ${release.name} is not in the store. Run npm run build.`)
  return content.toString()
}

async function countSources(store: ReleaseStore, file: NamedFile, sources: Record<string, number>): Promise<void> {
  const text = await readText(store, file)
  const map = await readMap(store, file.release, file.path)
  const counts = map ? countBySource(text, map) : new Map([[withoutHash(file.path), text.length]])
  for (const [source, characters] of counts) {
    const key = `${file.release.name}: ${toSource(file.release.name, source)}`
    sources[key] = (sources[key] ?? 0) + characters
  }
}

/**
 * The bytes of a part's files after somebody changed a line in its first screen: that script has a line more, and the
 * one that names it by its hash names another. First for browsers that keep dictionaries, then for others, which get
 * these whole; the others keep their addresses.
 */
async function weighAfterLine(
  store: ReleaseStore,
  part: Release,
  named: readonly NamedFile[],
): Promise<readonly [differences: number, whole: number]> {
  const own = named.filter(({ release }) => release === part)
  const changed = part.chunks['./App']?.findLast((path) => path.endsWith('.js')) ?? part.entry
  const after = Buffer.from(`${await readText(store, { release: part, path: changed })}\nconsole.debug('changed')\n`)
  const [before, now] = [getIntegrity(part, changed), toIntegrity(after)]
  const [hash = before] = /[0-9a-f]{8}(?=\.js$)/.exec(changed) ?? []
  const nextHash = Buffer.from(now).toString('hex').slice(-8)
  const again = await Promise.all(
    own.map(async (file) => {
      const text = await readText(store, file)
      const renamed = text.replaceAll(before, now).replaceAll(hash, nextHash)
      const next = file.path === changed ? after : Buffer.from(renamed)
      if (next.equals(Buffer.from(text))) return { difference: 0, whole: 0 }
      const { difference } = await buildUpon(Buffer.from(text), next)
      return { difference: Math.min(difference.length, sizeOf(file)), whole: sizeOf(file) }
    }),
  )
  return [sum(again.map(({ difference }) => difference)), sum(again.map(({ whole }) => whole))]
}

const what: Readonly<Record<keyof PageFigures, string>> = {
  requests: 'requests',
  bytes: 'bytes',
  afterHostLine: 'bytes after a changed line of the host, with dictionaries',
  afterHostLineWhole: 'bytes after a changed line of the host, without dictionaries',
  afterRemoteLine: 'bytes after a changed line of the remote, with dictionaries',
  afterRemoteLineWhole: 'bytes after a changed line of the remote, without dictionaries',
}

/** One sentence for each address that passes a limit, with the files and sources that grew since it was accepted. */
export function judgeFirstPages(weighed: Weighed, accepted: Accepted): string[] {
  return Object.entries(weighed.figures).flatMap(([address, figures]) => {
    const limits = accepted.figures[address]
    if (limits === undefined)
      return [`${address} has no limits in ${acceptedFile}. Accept it by npm run build -- --accept.`]
    const passed = (Object.keys(what) as (keyof PageFigures)[]).filter((name) => figures[name] > limits[name])
    if (passed.length === 0) return []
    const said = passed.map((name) => `${say(figures[name])} ${what[name]}, of ${say(limits[name])}`)
    const files = listGrown(weighed.files[address] ?? {}, accepted.files[address] ?? {})
    const sources = listGrown(weighed.sources, accepted.sources)
    return [
      `${address}: ${said.join('; ')}. Grown since it was accepted: ${files}; before compression: ${sources}. ${cure}`,
    ]
  })
}

const say = (value: number): string => value.toLocaleString('en')

function listGrown(now: Readonly<Record<string, number>>, before: Readonly<Record<string, number>>): string {
  const grown = Object.entries(now)
    .map(([name, value]) => ({ name, by: value - (before[name] ?? 0), isNew: before[name] === undefined }))
    .filter(({ by }) => by > 0)
    .sort((a, b) => b.by - a.by)
  const words = grown.slice(0, 6).map(({ name, by, isNew }) => `${name} +${say(by)}${isNew ? ' (new)' : ''}`)
  return [...words, ...(grown.length > 6 ? [`${grown.length - 6} more`] : [])].join(', ') || 'none'
}
