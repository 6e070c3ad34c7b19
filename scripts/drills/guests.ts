import { badGuests, hostileCode } from '../../e2e/bench/guestAttempts.ts'
import { formatCost, measureCost } from '../../e2e/bench/guestCost.ts'
import {
  getsNothing,
  hasTheKeysOfTheShell,
  leavesACard,
  speaksAsThePage,
  worksAsInThePage,
} from '../../e2e/bench/guestVisits.ts'
import { openBrowser } from '../../e2e/bench/measure.ts'
import { signIn } from '../../e2e/bench/openPages.ts'
import {
  activate,
  listReleaseRefs,
  openFolderStore,
  publishAll,
  readRelease,
  readSnapshot,
} from '../../shared/release/src/index.ts'
import { setTrust } from '../../shared/release/src/trust.ts'
import { findBrowser } from '../journeys/findBrowser.ts'
import { startTemporaryServer } from '../releaseGate/temporaryServer.ts'
import { checkoutStore } from '../workspace/builds.ts'
import type { TestTotals } from '../workspace/testTotals.ts'
import { otherReact } from './otherReact.ts'
import { publishAlteredRelease } from './publishAlteredRelease.ts'

const part = 'remote-audit'
/**
 * The headless shell runs all frames on one thread, and has one cache for all; whole browsers run sandboxed frames on a
 * thread of their own, and keep what a site's frame fetched from others.
 */
const asOnDesktops = ['--site-per-process', '--enable-features=IsolateSandboxedIframes,SplitCacheByNetworkIsolationKey']
const by = { by: 'a drill' }

/**
 * A part of this checkout becomes a guest of a real deployment, in a real browser: it works in its frame as it does in
 * the page, and releases of it that try everything get nothing and leave the page around as it was (promise P30).
 */
export async function guests(): Promise<TestTotals> {
  const composed = await readSnapshot(openFolderStore(checkoutStore), (await publishAll(checkoutStore)).live)
  const deployment = await startTemporaryServer(openFolderStore(checkoutStore), composed)
  const browser = await openBrowser(await findBrowser(), asOnDesktops)
  try {
    const { store, url } = deployment
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } })
    await signIn(context, 'super')
    const steps = await otherReact(context, store)
    const inPage = await measureCost(context, false)
    await setTrust(store, { part, isGuest: true }, by)
    const inFrame = await measureCost(context, true)
    const first = listReleaseRefs(composed).find(({ name }) => name === part)
    if (first === undefined) throw new Error(`${part} is not live.`)
    const original = await readRelease(store, part, first.releaseId)
    steps.push(
      formatCost(inPage, inFrame),
      await worksAsInThePage(context),
      await speaksAsThePage(context),
      await hasTheKeysOfTheShell(context),
    )
    await activate(store, { parts: [await publishAlteredRelease(store, original, 'hostile', append(hostileCode))] }, by)
    steps.push(await getsNothing(context))
    for (const [way, bad] of Object.entries(badGuests)) {
      await activate(
        store,
        {
          parts: [
            await publishAlteredRelease(store, original, way, bad.isInFrame ? prepend(bad.code) : append(bad.code)),
          ],
        },
        by,
      )
      steps.push(await leavesACard(context, way, bad))
    }
    for (const step of steps) console.log(`  ${step}`)
    return { passed: steps.length, failed: 0 }
  } finally {
    await browser.close()
    await deployment.stop()
  }
}

const append =
  (code: string) =>
  (script: string): string =>
    `${script}\n;${code}`

const prepend =
  (code: string) =>
  (script: string): string =>
    `${code};\n${script}`
