import { aUser } from '@dmp/contract/examples'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright'

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
export const openBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: quiet })

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

/** 4× slower processor, 165 ms there and back, 8 Mbit/s: a usual laptop on a usual line. */
const line = { offline: false, latency: 165, downloadThroughput: 1_000_000, uploadThroughput: 250_000 }
const slowdown = 4
/** Idle-time prefetching starts 2 s after the page; what is asked for until then belongs to the page. */
const settleMs = 800

export interface Visit {
  /** Milliseconds from the request for the page until the goal was drawn. */
  readonly ms: number
  /** Paths of everything that the page asked for, the page itself first. */
  readonly asked: readonly string[]
}

/** One cold visit in a fresh browser profile. */
export async function visit(browser: Browser, url: string, scene: Scene, throttled: boolean): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    if (scene.isSignedIn) await signInWithoutServer(context)
    const page = await context.newPage()
    if (throttled) await throttle(context, page)
    const requestedPaths: string[] = []
    page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname))
    const reached = new Promise<number>((resolve, reject) => {
      setTimeout(() => reject(new Error(`${scene.name} was not reached within a minute at ${url}`)), 60_000).unref()
      void page.exposeFunction('benchReached', resolve)
    })
    await page.addInitScript({ content: watchFor(scene) })
    await page.goto(url + scene.path, { waitUntil: 'commit' })
    const ms = await reached
    if (!throttled) await page.waitForTimeout(settleMs)
    return { ms, asked: requestedPaths }
  } finally {
    await context.close()
  }
}

/** For the page: notes the time of the first frame in which the goal is there. */
const watchFor = ({ goal, text }: Scene): string => `
const look = () => requestAnimationFrame(() => {
  const found = document.querySelector(${JSON.stringify(goal)})
  if (found && found.textContent.includes(${JSON.stringify(text)})) window.benchReached(performance.now())
  else look()
})
look()`

async function throttle(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', line)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
}

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
