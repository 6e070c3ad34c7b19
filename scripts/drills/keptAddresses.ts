import { openBrowser } from '../../e2e/bench/measure.ts'
import { openUntilRest, visitUntilAllIsThere } from '../../e2e/bench/againAsked.ts'
import { signIn } from '../../e2e/bench/openPages.ts'
import { activate, openFolderStore, publishAll, readRelease, readSnapshot } from '../../shared/release/src/index.ts'
import { findBrowser } from '../journeys/findBrowser.ts'
import { startTemporaryServer, type TemporaryServer } from '../releaseGate/temporaryServer.ts'
import { checkoutStore } from '../workspace/builds.ts'
import type { TestTotals } from '../workspace/testTotals.ts'
import { publishAlteredRelease } from './publishAlteredRelease.ts'

/** What stays the same for a person who was here before a release, and what that person gets again. */
interface Step {
  readonly part: 'host' | 'remote-scan'
  readonly path: string
  /** The files that may come again. */
  readonly again: readonly string[]
  /** Their bytes at the most, for browsers that keep dictionaries and for others. */
  readonly most: Readonly<Record<Kind, number>>
}

type Kind = 'with dictionaries' | 'without'
const kinds: Readonly<Record<Kind, readonly string[]>> = {
  'with dictionaries': [],
  // As Firefox and WebKit are.
  without: ['--disable-features=CompressionDictionaryTransport,CompressionDictionaryTransportBackend'],
}

const steps: readonly Step[] = [
  { part: 'host', path: '/scan', again: ['main.js'], most: { 'with dictionaries': 2000, without: 90_000 } },
  {
    part: 'remote-scan',
    path: '/scan',
    again: ['App.js', 'remoteEntry.js'],
    most: { 'with dictionaries': 6000, without: 30_000 },
  },
]

/**
 * Somebody works, a line of a part changes, and somebody opens the page again: it counts what a browser asks this
 * server for, until the page has come to rest with all that it loads ahead.
 */
export async function keptAddresses(): Promise<TestTotals> {
  const from = openFolderStore(checkoutStore)
  const live = await readSnapshot(from, (await publishAll(checkoutStore)).live)
  const totals = { passed: 0, failed: 0 }
  for (const [kind, args] of Object.entries(kinds) as [Kind, readonly string[]][]) {
    const server = await startTemporaryServer(from, live)
    const browser = await openBrowser(await findBrowser(), args)
    try {
      const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 800 } })
      await signIn(context, 'super')
      const page = await context.newPage()
      for (const step of steps) {
        await visitUntilAllIsThere(page, step.path)
        await changeLine(server, step.part)
        const got = await openUntilRest(page, step.path)
        const bytes = got.reduce((sum, file) => sum + file.bytes, 0)
        const others = got.filter(({ name }) => !step.again.includes(name))
        const isGood = got.length > 0 && others.length === 0 && bytes <= step.most[kind]
        totals[isGood ? 'passed' : 'failed'] += 1
        const names = got.map((file) => `${file.name} ${file.bytes}`).join(', ')
        console.log(`  a line of ${step.part}, ${kind}: ${bytes} bytes again (${names})${isGood ? '' : ' ✗'}`)
      }
    } finally {
      await browser.close()
      await server.stop()
    }
  }
  return totals
}

async function changeLine({ store }: TemporaryServer, part: string): Promise<void> {
  const registry = await store.list('registry')
  const newest = Math.max(...registry.map((name) => Number.parseInt(name, 10)))
  const { live } = JSON.parse(String(await store.read(`registry/${newest}.json`))) as { live: string }
  const snapshot = await readSnapshot(store, live)
  const ref = [snapshot.host, ...snapshot.remotes].find(({ name }) => name === part)
  const release = await readRelease(store, part, ref?.releaseId ?? '')
  const { name, releaseId } = await publishAlteredRelease(
    store,
    release,
    'a line',
    (script) => `${script}\nconsole.debug('one changed line')\n`,
  )
  await activate(store, { parts: [{ name, releaseId }] }, { by: 'kept addresses' })
}
