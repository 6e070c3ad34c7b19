import { RemoteError, type Fault, type Origin } from './RemoteError.ts'

export interface ScriptRequest {
  readonly origin: Origin
  readonly integrity: string
  readonly timeoutMs: number
  /** Returns whether the script has run. Called after it loads and before it is requested again. */
  readonly hasRun: () => boolean
}

/**
 * Runs a script of a release after checking its hash. If the page's markup already requested it, waits for that one.
 * Rejects with a `RemoteError` that names the fault.
 */
export async function loadScript(request: ScriptRequest): Promise<void> {
  if (request.hasRun()) return
  const pageScript = [...document.scripts].find(({ src }) => src === request.origin.url)
  if (pageScript && (await waitForScript(pageScript, request))) return
  await addScript(request)
}

/**
 * Returns whether the script in the page's markup ran. Gives up when all of the page's scripts are done, or after the
 * time-out.
 */
function waitForScript(script: HTMLScriptElement, { hasRun, timeoutMs }: ScriptRequest): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      resolve(hasRun())
    }
    const timer = setTimeout(finish, timeoutMs)
    script.addEventListener('load', finish)
    script.addEventListener('error', finish)
    if (isParsed()) finish()
    else addEventListener('DOMContentLoaded', finish)
  })
}

/** The page's deferred scripts have all run or failed. */
function isParsed(): boolean {
  const [navigation] = (performance.getEntriesByType?.('navigation') ?? []) as PerformanceNavigationTiming[]
  return document.readyState === 'complete' || (navigation?.domContentLoadedEventStart ?? 0) > 0
}

function addScript({ origin, integrity, timeoutMs, hasRun }: ScriptRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    let thrown: unknown
    const recordThrown = (event: ErrorEvent): void => {
      if (event.filename === origin.url) thrown = event.error ?? event.message
    }
    const finish = (fault?: Fault): void => {
      clearTimeout(timer)
      removeEventListener('error', recordThrown)
      script.onload = script.onerror = null
      script.remove()
      if (fault === undefined) resolve()
      else reject(new RemoteError(fault, origin, thrown === undefined ? undefined : { cause: thrown }))
    }
    const timer = setTimeout(() => finish('timeout'), timeoutMs)
    addEventListener('error', recordThrown)
    script.onload = () => finish(hasRun() ? undefined : thrown === undefined ? 'module' : 'evaluation')
    script.onerror = () => void findFault(origin.url, integrity).then(finish)
    if (!origin.url.startsWith(`${location.origin}/`)) script.crossOrigin = 'anonymous'
    script.integrity = integrity
    script.src = origin.url
    document.head.append(script)
  })
}

/** A script element only reports that it failed; requesting the file again tells why. */
async function findFault(url: string, integrity: string): Promise<Fault> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(3000) })
    if (!response.ok) return 'http'
    const hash = await crypto.subtle.digest('SHA-384', await response.arrayBuffer())
    const actualIntegrity = `sha384-${btoa(String.fromCharCode(...new Uint8Array(hash)))}`
    return integrity === '' || actualIntegrity === integrity ? 'network' : 'integrity'
  } catch {
    return 'network'
  }
}

/**
 * Asks for a file past the browser's cache, which keeps the bytes of releases for ever, also those that were damaged on
 * their way. Later requests get what has come now.
 */
export async function renewFile(url: string): Promise<void> {
  await fetch(url, { cache: 'reload', signal: AbortSignal.timeout(3000) })
    .then((response) => response.arrayBuffer())
    .catch(() => undefined)
}
