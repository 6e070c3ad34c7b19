import { isClockSteady } from '../core/clock.ts'
import { patiently } from './patience.ts'

const everyMs = 3_600_000

export interface Hourly {
  round(): Promise<void>
  close(): Promise<void>
}

/** At the start and then every hour, one round after the other; several servers may do it at once. */
export function goHourly(round: () => Promise<void>, onProblem: (error: unknown) => void): Hourly {
  let running = Promise.resolve()
  const again = (): void => {
    if (isClockSteady()) running = running.then(() => patiently(round)).catch(onProblem)
  }
  again()
  const timer = setInterval(again, everyMs).unref()
  return {
    round,
    close: async () => {
      clearInterval(timer)
      await running
    },
  }
}
