import type { MonitorRound } from './monitorRound.ts'

export interface MonitorOptions {
  /** From the end of one round to the start of the next, in minutes; a tenth more or less. */
  readonly minutes: number
  /** One round is all, as a timer of the machine wants it. */
  readonly isOnce?: boolean
  readonly run: () => Promise<MonitorRound>
  /** Which snapshot is live; undefined where nobody answers. */
  readonly askLive: () => Promise<string | undefined>
  /** Ends the monitor; a run under way is not judged. */
  readonly signal: AbortSignal
  readonly say: (line: string) => void
  /** Tells people when the deployment begins to fail, and when it is well again. */
  readonly alert?: ((text: string) => Promise<void>) | undefined
  readonly now?: () => Date
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** How often it is asked, between two rounds, whether something else went live. */
const askMs = 5000

/**
 * Runs the journeys again and again until it is told to end; returns how many rounds failed. A release that goes live
 * in between is tried at once.
 */
export async function monitor(options: MonitorOptions): Promise<number> {
  const { minutes, isOnce = false, run, signal, say, alert, now = () => new Date() } = options
  let [failedRounds, failingRounds] = [0, 0]
  for (;;) {
    const began = now()
    const { passed, failed, failures = [], notes, record } = await run()
    // Ctrl+C ends the browsers as well: what they say of the deployment then is not true.
    if (signal.aborted) return failedRounds
    const stamp = began.toISOString().slice(0, 19).replace('T', ' ')
    const seconds = Math.round((now().getTime() - began.getTime()) / 1000)
    const outcome = [
      failed === 0
        ? `${passed} journeys passed, ${seconds} s`
        : `${failed} of ${passed + failed} journeys failed, ${seconds} s`,
      ...(failed === 0 ? [] : failures),
      ...notes,
    ].join('\n    ')
    say(`${stamp}Z ${failed === 0 ? '✓' : '✗'} ${outcome}`)
    const hasTurned = failed > 0 !== failingRounds > 0
    const news = failed > 0 ? `Failing: ${outcome}` : `Well again after ${failingRounds} failed runs.`
    failingRounds = failed > 0 ? failingRounds + 1 : 0
    failedRounds += failed > 0 ? 1 : 0
    // A door for news that is closed itself ends nothing.
    if (hasTurned) await alert?.(news).catch((cause: Error) => say(`    The alert was not delivered: ${cause.message}`))
    if (isOnce) return failedRounds
    await waitForNext(options, minutes * 60_000 * (0.9 + Math.random() / 5), record?.snapshot)
    if (signal.aborted) return failedRounds
  }
}

/** Waits until the time is over, or something else is live than the round saw. */
async function waitForNext({ pause = pauseUnlessEnded, signal, askLive }: MonitorOptions, ms: number, seen?: string) {
  for (let waited = 0; waited < ms && !signal.aborted; waited += askMs) {
    await pause(Math.min(askMs, ms - waited), signal)
    const live = seen === undefined ? undefined : await askLive()
    if (live !== undefined && live !== seen) return
  }
}

const pauseUnlessEnded = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })

const alertTimeoutMs = 10_000

/** Posts `{ "text": … }`, which chat systems take as a message. Journeys have titles, and never names of patients. */
export const alertAt =
  (address: string) =>
  async (text: string): Promise<void> => {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
      redirect: 'error',
      signal: AbortSignal.timeout(alertTimeoutMs),
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`${new URL(address).host} responded with ${response.status}.`)
  }
