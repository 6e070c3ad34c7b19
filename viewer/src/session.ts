/** What the application keeps in the browser's storage for all tabs (9.11). */
const [tokensKey, activeKey] = ['authData', 'lastActiveTime']

/** Looking at pictures is activity, too (4.13): also with a hand that rests on the wheel or only points. */
const signs = ['pointermove', 'pointerdown', 'wheel', 'keydown', 'touchstart'] as const
const everyMs = 1000
const minuteMs = 60_000

interface IdleSettings {
  readonly required: boolean
  readonly idleMinutes: number
  readonly timeoutMinutes: number
}

/**
 * Joins the session that the application has in this browser: what is done here keeps it from being idle, and
 * `onEnd` is called when it ends in any tab. Returns a function that leaves it.
 */
export function joinSession(onEnd: () => void): () => void {
  const longestRestMs = readLongestRest()
  let toldAt = 0
  const tell = (): void => {
    const now = Date.now()
    if (now - toldAt < everyMs) return
    toldAt = now
    const last = Number(read(activeKey) ?? 0)
    if (read(tokensKey) !== null && now - last < longestRestMs) write(activeKey, now)
  }
  const see = ({ key, newValue }: StorageEvent): void => {
    if (newValue === null && (key === tokensKey || key === null)) onEnd()
  }
  const options = { capture: true, passive: true }
  for (const sign of signs) addEventListener(sign, tell, options)
  addEventListener('storage', see)
  return () => {
    for (const sign of signs) removeEventListener(sign, tell, options)
    removeEventListener('storage', see)
  }
}

/**
 * How long a session outlives the last sign of its person (4.13), from the settings of the page. After the computer
 * slept, the first movement must not revive one that has timed out (9.07).
 */
function readLongestRest(): number {
  const text = document.getElementById('dmp-settings')?.textContent ?? '{}'
  const { idle } = JSON.parse(text) as { idle?: IdleSettings }
  if (idle?.required === false) return Infinity
  return ((idle?.idleMinutes ?? 10) + (idle?.timeoutMinutes ?? 5)) * minuteMs
}

// A browser may keep its storage from pages.
function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, value: number): void {
  try {
    localStorage.setItem(key, String(value))
  } catch {
    // The application asks whether somebody is there.
  }
}

const endedKey = 'viewer-session-ended'

/**
 * Remembers over the next load of this tab that the session has ended: the server may learn of it after that load, and
 * would still give the pictures.
 */
export function noteEnd(): void {
  try {
    sessionStorage.setItem(endedKey, 'true')
  } catch {
    // The server refuses the pictures as soon as it knows.
  }
}

/** Whether this tab was loaded anew because the session had ended; says so once. */
export function takeEnd(): boolean {
  try {
    const hasEnded = sessionStorage.getItem(endedKey) !== null
    sessionStorage.removeItem(endedKey)
    return hasEnded
  } catch {
    return false
  }
}
