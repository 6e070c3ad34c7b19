import { mkdtempSync, rmSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser, visit, visitAgain, type Scene, type Visit } from '../../e2e/bench/measure.ts'
import { readMap } from '../../shared/release/src/maps.ts'
import { toSource } from '../workspace/sourceBytes.ts'
import { openSlowLine, type SlowLine } from './slowLine.ts'
import { serveVariant, type VariantServer } from './variantServer.ts'
import type { Variant } from './variants.ts'

/** 165 ms there and back and 8 Mbit/s, for all connections together: a usual line. */
const usualLine = { up: 0.25, down: 1, roundTripMs: 165, isConnecting: true }

export const protocols = ['HTTP/1.1', 'HTTP/2'] as const
export type Protocol = (typeof protocols)[number]
/** Nothing is kept; or a third visit by a browser that was just started, with files and compiled code on its disk. */
export const states = ['cold', 'warm'] as const
export type State = (typeof states)[number]

/** The server's certificate is the bench's own. Browsers keep no files of a server whose certificate has a fault. */
const browserArgs = (protocol: Protocol, { url, publicKeyHash }: VariantServer): readonly string[] => [
  ...(protocol === 'HTTP/1.1' ? ['--disable-http2'] : []),
  ...(url.startsWith('https:') ? [`--ignore-certificate-errors-spki-list=${publicKeyHash}`] : []),
]

interface Fronts {
  readonly servers: readonly VariantServer[]
  readonly lines: readonly SlowLine[]
  close(): void
}

/** Both variants over TLS, each behind a line of its own. */
async function openFronts(variants: readonly Variant[]): Promise<Fronts> {
  const servers = await Promise.all(variants.map((variant) => serveVariant(variant, { isSecure: true })))
  const lines = await Promise.all(servers.map(({ url }) => openSlowLine(url, usualLine)))
  const close = (): void => {
    lines.forEach((line) => line.close())
    servers.forEach((server) => server.stop())
  }
  return { servers, lines, close }
}

export interface Series {
  readonly scene: Scene
  readonly protocol: Protocol
  readonly state: State
  readonly executablePath: string
}

/**
 * Visits in turn, first to one variant, then to the other, so that what the machine does meanwhile meets both. The
 * first pair is not counted.
 *
 * @returns a pair of visits for each of the pairs, in the order of the variants
 */
export async function measurePairs(
  variants: readonly [Variant, Variant],
  { scene, protocol, state, executablePath }: Series,
  count: number,
): Promise<(readonly [ours: Visit, theirs: Visit])[]> {
  const fronts = await openFronts(variants)
  const visitors = await Promise.all(
    fronts.lines.map(async ({ url }, index) => {
      const args = browserArgs(protocol, fronts.servers[index]!)
      return state === 'cold'
        ? openColdVisitor(executablePath, args, url, scene)
        : openWarmVisitor({ executablePath, args }, url, scene)
    }),
  )
  try {
    const pairs: (readonly [Visit, Visit])[] = []
    for (let round = 0; round <= count; round += 1) {
      const pair: Visit[] = []
      for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) pair[index] = await visitors[index]!.visit()
      if (round > 0) pairs.push([pair[0]!, pair[1]!])
    }
    return pairs
  } finally {
    await Promise.all(visitors.map((visitor) => visitor.end()))
    fronts.close()
  }
}

interface Visitor {
  visit(): Promise<Visit>
  end(): Promise<void>
}

async function openColdVisitor(path: string, args: readonly string[], url: string, scene: Scene): Promise<Visitor> {
  const browser = await openBrowser(path, args)
  return { visit: () => visit(browser, url, scene, { isSlow: true }), end: () => browser.close() }
}

async function openWarmVisitor(
  browser: { readonly executablePath: string; readonly args: readonly string[] },
  url: string,
  scene: Scene,
): Promise<Visitor> {
  const folder = mkdtempSync(join(tmpdir(), 'dmp-bench-'))
  const again = { ...browser, folder }
  for (const _visit of [1, 2]) await visitAgain(again, url, scene, { isSettling: true })
  return {
    visit: () => visitAgain(again, url, scene, { isSlow: true }),
    end: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/**
 * What the main thread does on a cold visit until the goal is drawn, in milliseconds: by package and by part of ours,
 * and what is none of a script's by the profiler's words, `(idle)` and `(program)` (parsing, style, layout, drawing).
 */
export async function measureRunning(
  variant: Variant,
  { scene, protocol, executablePath }: Omit<Series, 'state'>,
): Promise<ReadonlyMap<string, number>> {
  const fronts = await openFronts([variant])
  const browser = await openBrowser(executablePath, browserArgs(protocol, fronts.servers[0]!))
  try {
    const { ran } = await visit(browser, fronts.lines[0]!.url, scene, { isSlow: true, isProfiled: true })
    const findSource = createSourceFinder(variant)
    const times = new Map<string, number>()
    for (const { name, url, line, column, ms } of ran) {
      const key = url === '' && name.startsWith('(') ? name : await findSource(url, line, column)
      times.set(key, (times.get(key) ?? 0) + ms)
    }
    return times
  } finally {
    await browser.close()
    fronts.close()
  }
}

function createSourceFinder({ store }: Variant): (url: string, line: number, column: number) => Promise<string> {
  const maps = new Map<string, SourceMap | undefined>()
  const findMap = async (part: string, releaseId: string, file: string): Promise<SourceMap | undefined> => {
    const map = await readMap(store, { name: part, releaseId }, file)
    return map && new SourceMap({ ...map, file, sourcesContent: [], sourceRoot: '' } as unknown as SourceMapPayload)
  }
  return async (url, line, column) => {
    const [, , , folder, part = '', releaseId = '', ...path] = url.split('/')
    const file = path.join('/')
    if (folder !== 'releases') return 'page and browser'
    if (!maps.has(url)) maps.set(url, await findMap(part, releaseId, file))
    const entry = maps.get(url)?.findEntry(line, column)
    const source = entry && 'originalSource' in entry ? entry.originalSource : 'webpack'
    // A folder of ours, such as `shared/kit`: files are many.
    return toSource(part, source).replace(/^(shared\/[^/]+|[^/@]+)\/.*$/, '$1')
  }
}
