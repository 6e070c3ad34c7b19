import { RemoteError, type Fault, type Origin } from './RemoteError.ts'

export interface ScriptRequest {
  readonly origin: Origin
  readonly integrity: string
  readonly timeoutMs: number
  /** Whether the script has run: asked after it loaded, and before it is asked for again. */
  readonly hasRun: () => boolean
}

/**
 * Runs a script of a release, checked against its hash. Waits for the one that the page itself asked for where there is
 * one. Rejects with a `RemoteError` that says what went wrong.
 */
export async function loadScript(request: ScriptRequest): Promise<void> {
  if (request.hasRun()) return
  const asked = [...document.scripts].find(({ src }) => src === request.origin.url)
  if (asked && (await waitForScript(asked, request))) return
  await addScript(request)
}

/** Whether the page's own script came to run. It is given up when the page's scripts are through, or when it hangs. */
function waitForScript(script: HTMLScriptElement, { hasRun, timeoutMs }: ScriptRequest): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (): void => {
      clearTimeout(timer)
      resolve(hasRun())
    }
    const timer = setTimeout(answer, timeoutMs)
    script.addEventListener('load', answer)
    script.addEventListener('error', answer)
    if (isParsed()) answer()
    else addEventListener('DOMContentLoaded', answer)
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
    const notice = (event: ErrorEvent): void => {
      if (event.filename === origin.url) thrown = event.error ?? event.message
    }
    const finish = (fault?: Fault): void => {
      clearTimeout(timer)
      removeEventListener('error', notice)
      script.onload = script.onerror = null
      script.remove()
      if (fault === undefined) resolve()
      else reject(new RemoteError(fault, origin, thrown === undefined ? undefined : { cause: thrown }))
    }
    const timer = setTimeout(() => finish('timeout'), timeoutMs)
    addEventListener('error', notice)
    script.onload = () => finish(hasRun() ? undefined : thrown === undefined ? 'module' : 'evaluation')
    script.onerror = () => void findFault(origin.url, integrity).then(finish)
    if (!origin.url.startsWith(`${location.origin}/`)) script.crossOrigin = 'anonymous'
    script.integrity = integrity
    script.src = origin.url
    document.head.append(script)
  })
}

/** A script element only says that it failed; asking for the file once more tells why. */
async function findFault(url: string, integrity: string): Promise<Fault> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(3000) })
    if (!response.ok) return 'http'
    const hash = await crypto.subtle.digest('SHA-384', await response.arrayBuffer())
    const found = `sha384-${btoa(String.fromCharCode(...new Uint8Array(hash)))}`
    return integrity === '' || found === integrity ? 'network' : 'integrity'
  } catch {
    return 'network'
  }
}
