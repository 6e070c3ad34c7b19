import { aUser } from '@dmp/contract/examples'
import { chromium, type Browser, type BrowserContext, type CDPSession } from 'playwright'

/** Text of the row that is waited for; the API of the bench returns it. */
export const firstRow = 'Row of the bench'

const quiet = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export type { Browser }
/** @param args of the browser, beside those that keep it from doing anything of its own */
export const openBrowser = (executablePath: string, args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...quiet, ...args] })

/** A page that is measured: where it is, and what being there means. */
export interface Scene {
  readonly name: string
  readonly path: string
  readonly isSignedIn: boolean
  /** The sign that a person waits for: an element, with a text in it. */
  readonly goal: string
  readonly text: string
}

export const scenes: readonly Scene[] = [
  { name: 'sign-in', path: '/login', isSignedIn: false, goal: 'input[type="password"]', text: '' },
  { name: 'scan list', path: '/scan', isSignedIn: true, goal: 'tbody', text: firstRow },
]

/** On a machine that has much else to do. */
const patienceMs = 180_000
/** A usual laptop beside the machines that measure. */
const slowdown = 4
/** Idle-time prefetching starts 2 s after the page; what is asked for until then belongs to the page. */
const settleMs = 800

export interface VisitOptions {
  /** With a processor that is four times slower. */
  readonly isSlow?: boolean
  /** Waits until the page has come to rest, so that all that belongs to it was asked for. */
  readonly isSettling?: boolean
  /** Notes what runs meanwhile, which takes time. */
  readonly isProfiled?: boolean
}

/** Of a page, as it says them itself. */
interface Times {
  /** Milliseconds from the request for the page until the goal is there and the page's own code answers. */
  readonly ms: number
  /** Milliseconds until the goal was drawn, if only as markup: what is typed is kept, and what is pressed answered. */
  readonly shownMs: number
  /** Milliseconds until anything was drawn (first contentful paint). */
  readonly paintedMs: number
}

export interface Visit extends Times {
  /** Paths of everything that the page asked for, the page itself first. */
  readonly asked: readonly string[]
  /** Milliseconds of the main thread until then, by the place that ran; empty unless the visit is profiled. */
  readonly ran: readonly RunTime[]
}

/** A function by the place where it begins, counted from 0; without an address what is not of a script: `(idle)`. */
export interface RunTime {
  readonly name: string
  readonly url: string
  readonly line: number
  readonly column: number
  readonly ms: number
}

/** One cold visit in a fresh browser profile. */
export const visit = (browser: Browser, url: string, scene: Scene, options: VisitOptions = {}): Promise<Visit> =>
  visitWhole(() => browser.newContext({ viewport, ignoreHTTPSErrors: true }), url, scene, options)

/** A visit by a browser that was just started, with what earlier visits left in this folder: files, and their code. */
export const visitAgain = (
  { executablePath, args = [], folder }: { executablePath: string; args?: readonly string[]; folder: string },
  url: string,
  scene: Scene,
  options: VisitOptions = {},
): Promise<Visit> =>
  visitWhole(
    () => chromium.launchPersistentContext(folder, { executablePath, args: [...quiet, ...args], viewport }),
    url,
    scene,
    options,
  )

const viewport = { width: 1280, height: 800 }
const mostTries = 10
/** What browsers say of requests under way where the machine gets a network more, or has one less. */
const networkChanged = 'net::ERR_NETWORK_CHANGED'

/** A visit that a container broke off, as it began or ended beside us, says nothing of the page and is made again. */
async function visitWhole(
  open: () => Promise<BrowserContext>,
  url: string,
  scene: Scene,
  options: VisitOptions,
): Promise<Visit> {
  for (let tries = 1; ; tries += 1) {
    const context = await open()
    try {
      return await visitIn(context, url, scene, options)
    } catch (error) {
      if (!String(error).includes(networkChanged) || tries === mostTries) throw error
      console.warn(`${scene.name} is visited again: the networks of this machine changed meanwhile.`)
    } finally {
      await context.close()
    }
  }
}

async function visitIn(
  context: BrowserContext,
  url: string,
  scene: Scene,
  { isSlow = false, isSettling = false, isProfiled = false }: VisitOptions,
): Promise<Visit> {
  if (scene.isSignedIn) await signInWithoutServer(context)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  if (isSlow) await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const reached = Promise.withResolvers<Times>()
  const end = () => reached.reject(new Error(`${scene.name} was not reached in time at ${url}`))
  setTimeout(end, patienceMs).unref()
  // Of a visit that was broken off nobody waits for it any more.
  reached.promise.catch(() => undefined)
  page.on('requestfailed', (request) => {
    const error = request.failure()?.errorText
    if (error === networkChanged) reached.reject(new Error(`${request.url()} was broken off: ${error}`))
  })
  // Before the page: a call that comes while the browser still makes the function known is lost.
  await page.exposeFunction('benchReached', reached.resolve)
  await page.addInitScript({ content: watchFor(scene) })
  if (isProfiled) await startProfile(session)
  await page.goto(url + scene.path, { waitUntil: 'commit', timeout: patienceMs })
  const times = await reached.promise
  const ran = isProfiled ? await readProfile(session) : []
  if (isSettling) await page.waitForTimeout(settleMs)
  return { ...times, asked, ran }
}

async function startProfile(session: CDPSession): Promise<void> {
  await session.send('Profiler.enable')
  await session.send('Profiler.setSamplingInterval', { interval: 500 })
  await session.send('Profiler.start')
}

async function readProfile(session: CDPSession): Promise<readonly RunTime[]> {
  const { profile } = await session.send('Profiler.stop')
  const times = new Map<number, number>()
  for (const [index, node] of (profile.samples ?? []).entries())
    times.set(node, (times.get(node) ?? 0) + (profile.timeDeltas?.[index] ?? 0) / 1000)
  return profile.nodes.map(({ id, callFrame }) => ({
    name: callFrame.functionName,
    url: callFrame.url,
    line: callFrame.lineNumber,
    column: callFrame.columnNumber,
    ms: times.get(id) ?? 0,
  }))
}

/** For the page: notes the first frame in which the goal is there, and the first in which it is no markup any more. */
const watchFor = ({ goal, text }: Scene): string => `
let shownMs
const look = () => requestAnimationFrame(() => {
  const found = document.querySelector(${JSON.stringify(goal)})
  if (!found || !found.textContent.includes(${JSON.stringify(text)})) return look()
  shownMs ??= performance.now()
  if (document.querySelector('[data-drawn]')) return look()
  const ms = performance.now()
  const paintedMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? ms
  window.benchReached({ ms, shownMs: Math.max(shownMs, paintedMs), paintedMs })
})
look()`

/** Puts into the browser what a sign-in leaves there; whatever answers the page believes it. */
export async function signInWithoutServer(context: BrowserContext): Promise<void> {
  const { id, email, fullName, role, organizationId, organization, policy } = aUser('staff')
  const user = {
    email,
    fullName,
    role: role.role,
    roleDisplayName: role.roleDisplayName,
    organizationId,
    organization: organization.name,
    policy,
  }
  const tokens = {
    accessToken: 'bench',
    refreshToken: 'bench',
    idToken: 'bench',
    challengeName: null,
    userId: id,
    session: null,
    expiresIn: 900,
    expireDate: new Date(Date.now() + 900_000).toISOString(),
    sessionId: '00000000-0000-4000-8000-00000000beef',
  }
  const items = { authData: JSON.stringify(tokens), user: JSON.stringify(user), lastActiveTime: String(Date.now()) }
  await context.addInitScript({
    content: `for (const [key, value] of Object.entries(${JSON.stringify(items)})) localStorage.setItem(key, value)`,
  })
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] ?? Number.NaN)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
