import type { TestTotals } from '../workspace/testTotals.ts'

export interface MonitorOptions {
  /** From the end of one run to the start of the next, in minutes. */
  readonly minutes: number
  /** One run of the journeys that only read. */
  readonly run: () => Promise<TestTotals>
  /** Ends the monitor; a run under way is not judged. */
  readonly signal: AbortSignal
  readonly say: (line: string) => void
  /** Tells people when the deployment begins to fail, and when it is well again. */
  readonly alert?: ((text: string) => Promise<void>) | undefined
  readonly now?: () => Date
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * Runs the journeys again and again until it is told to end; returns how many runs failed. Their pages are pages like
 * others: what they report counts in the watch that takes bad releases back.
 */
export async function monitor(options: MonitorOptions): Promise<number> {
  const { minutes, run, signal, say, alert, now = () => new Date(), pause = pauseUnlessEnded } = options
  let [failedRuns, failingRuns] = [0, 0]
  for (;;) {
    const began = now()
    const { passed, failed, failures = [] } = await run()
    // Ctrl+C ends the browsers as well: what they say of the deployment then is not true.
    if (signal.aborted) return failedRuns
    const stamp = began.toISOString().slice(0, 19).replace('T', ' ')
    const seconds = Math.round((now().getTime() - began.getTime()) / 1000)
    const outcome =
      failed === 0
        ? `${passed} journeys passed, ${seconds} s`
        : [`${failed} of ${passed + failed} journeys failed, ${seconds} s`, ...failures].join('\n    ')
    say(`${stamp}Z ${failed === 0 ? '✓' : '✗'} ${outcome}`)
    const hasTurned = failed > 0 !== failingRuns > 0
    const news = failed > 0 ? `Failing: ${outcome}` : `Well again after ${failingRuns} failed runs.`
    failingRuns = failed > 0 ? failingRuns + 1 : 0
    failedRuns += failed > 0 ? 1 : 0
    // A door for news that is closed itself ends nothing.
    if (hasTurned) await alert?.(news).catch((cause: Error) => say(`    The alert was not delivered: ${cause.message}`))
    await pause(minutes * 60_000, signal)
    if (signal.aborted) return failedRuns
  }
}

const pauseUnlessEnded = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
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
