import { setTimeout as pause } from 'node:timers/promises'
import type { Server } from './app.ts'
import type { Settings } from './settings/settings.ts'

/** After connections were closed, for what writes its last lines. */
const lastMs = 5000
/** A service manager tells every process of the group, and each passes it on: the server hears one order twice. */
const echoMs = 1000

/** Stops in order at the first signal, and at once when somebody asks again. */
export function stopOnSignals(server: Server, settings: Settings): void {
  let first: { readonly signal: NodeJS.Signals; readonly at: number } | undefined
  const stop = (signal: NodeJS.Signals): void => {
    const now = performance.now()
    if (first?.signal === signal && now - first.at < echoMs) return
    // The second signal does not wait.
    if (first) process.exit(1)
    first = { signal, at: now }
    void stopInTime(server, settings)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** Of several servers others take over, once their load balancer has noticed. */
const findDrainSeconds = ({ drainSeconds, databaseUrl, isDemo }: Settings): number =>
  drainSeconds ?? (databaseUrl === undefined || isDemo ? 0 : 5)

/** Requests under way get their time, then their lines are closed; whatever hangs does not keep the process. */
async function stopInTime({ app, deps, close }: Server, settings: Settings): Promise<void> {
  const { stopSeconds } = settings
  const drainSeconds = findDrainSeconds(settings)
  deps.stopping.ask()
  if (drainSeconds > 0) {
    deps.log.info(`told to stop: not ready any more, and no new work in ${drainSeconds} s`)
    await pause(drainSeconds * 1000)
  }
  const closing = close()
  const begun = performance.now()
  // A line whose last response ended meanwhile would be kept open for the next request.
  const idle = setInterval(() => app.server.closeIdleConnections(), 200)
  setTimeout(() => {
    deps.log.warn(`requests were still under way after ${stopSeconds} s without new ones; they are cut off`)
    clearInterval(idle)
    app.server.closeAllConnections()
  }, stopSeconds * 1000)
  setTimeout(
    () => {
      const seconds = Math.round((performance.now() - begun) / 1000)
      const sentence = `The server could not stop in order within ${seconds} s, so it ends now. Nothing that was confirmed is lost.`
      deps.log.error(sentence)
      process.stderr.write(`${sentence}\n`)
      process.exit(1)
    },
    stopSeconds * 1000 + lastMs,
  )
  closing.then(
    () => process.exit(0),
    () => process.exit(1),
  )
}
