import { join } from 'node:path'
import { contents, seed, unseed } from '../../e2e/support/seededWorld.ts'
import { alertAt, monitor } from '../journeys/monitor.ts'
import { compareRuns } from '../journeys/compareRuns.ts'
import { runOtherBrowser, type OtherBrowser } from '../journeys/runOtherBrowser.ts'
import { askLive } from '../journeys/liveWatch.ts'
import { lockFile } from '../journeys/lockFile.ts'
import { createTeller, runRound, type Teller } from '../journeys/monitorRound.ts'
import { startReportServer } from '../journeys/reportServer.ts'
import { toRound } from '../journeys/round.ts'
import { runJourneys } from '../journeys/runJourneys.ts'
import { listRuns, readRun, type RunRecord } from '../journeys/runRecord.ts'
import { root } from '../workspace/files.ts'
import { exitOnError } from '../workspace/runProcess.ts'

const [command = '', ...rest] = process.argv.slice(2)
const say = (line: string) => console.log(`  ${line}`)

function getAddress(): string {
  const address = process.env.BASE_URL?.replace(/\/$/, '')
  if (!address)
    throw new Error(
      `Name the deployment: BASE_URL=https://dmp.example E2E_SUPER=… E2E_ADMIN=… npm run e2e -- ${command}`,
    )
  return address
}

/** Undefined where no API token is named: then nobody is told. */
function findTeller(): Teller | undefined {
  const token = process.env.E2E_MONITOR_TOKEN
  return token ? createTeller(getAddress(), token) : undefined
}

async function inOtherBrowser(kind: OtherBrowser): Promise<void> {
  const { failed } = await runOtherBrowser(kind)
  process.exitCode = failed === 0 ? 0 : 1
}

const commands: Record<string, () => Promise<void>> = {
  seed: async () => {
    console.log(`Into ${getAddress()}:`)
    contents.forEach(say)
    console.log('Done:')
    await seed(getAddress(), say)
    console.log('Take it away again with: npm run e2e -- unseed')
  },
  unseed: async () => {
    console.log(`From ${getAddress()}:`)
    await unseed(getAddress(), say)
  },
  firefox: () => inOtherBrowser('firefox'),
  webkit: () => inOtherBrowser('webkit'),
  monitor: async () => {
    const isOnce = rest.includes('--once')
    const minutes = Number(rest.find((word) => !word.startsWith('-')) ?? 5)
    if (!(minutes > 0)) throw new Error('Say how many minutes lie between two runs: npm run e2e -- monitor 5')
    const unlock = lockFile(
      join(root, '.cache', 'monitor.pid'),
      'A monitor already runs from this checkout. Two at once would empty each other’s reports.',
    )
    const end = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort())
    process.env.E2E_VIDEO = '0'
    const [address, teller] = [getAddress(), findTeller()]
    console.log(
      [
        `Journeys that only read, against ${address}${isOnce ? ', once.' : `, every ${minutes} minutes. Ctrl+C ends it.`}`,
        ...(teller
          ? []
          : ['The deployment is not told, and takes nothing back: name an API token in E2E_MONITOR_TOKEN.']),
      ].join('\n'),
    )
    const failedRounds = await monitor({
      minutes,
      isOnce,
      run: () => runRound((options, more) => runJourneys(options, { ...more, isQuiet: true, isMonitor: true }), teller),
      askLive: () => askLive(address),
      signal: end.signal,
      say: console.log,
      alert: process.env.E2E_ALERT_URL ? alertAt(process.env.E2E_ALERT_URL) : undefined,
    }).finally(unlock)
    process.exitCode = failedRounds === 0 ? 0 : 1
  },
  report: async () => {
    const server = await startReportServer()
    console.log(`Changed looks, and all journeys of the last run: ${server.url}\nCtrl+C ends it.`)
    await new Promise<void>((ended) => void process.once('SIGINT', ended).once('SIGTERM', ended))
    await server.close()
  },
  compare: () => {
    const [first, second] = rest.length === 2 ? rest : listRuns().slice(-2)
    if (first === undefined || second === undefined)
      throw new Error(
        'Name two runs: npm run e2e -- compare A B. Without names the two newest of e2e/runs are compared.',
      )
    const { lines, lost } = compareRuns(readRun(first), readRun(second))
    console.log(lines.join('\n'))
    process.exitCode = lost === 0 ? 0 : 1
    return Promise.resolve()
  },
}

async function tell(record: RunRecord | undefined): Promise<void> {
  const teller = findTeller()
  if (!teller)
    throw new Error('The deployment was not told: name an API token with the scope monitor in E2E_MONITOR_TOKEN.')
  if (!record) throw new Error('There is no run to tell of.')
  await teller.addRound(toRound(record, 'suite'))
  console.log(`Told to ${getAddress()}: its platform screen shows it, under Quality.`)
}

const work = commands[command]
if (work) await exitOnError(work)
else {
  // A person who looks for the cause of a failure wants to see it; `npm test` first finds out whether there is one.
  process.env.E2E_VIDEO ??= '1'
  const options = process.argv.slice(2)
  const { failed, record } = await runJourneys(options.filter((option) => option !== '--tell'))
  process.exitCode = failed === 0 ? 0 : 1
  if (options.includes('--tell')) await exitOnError(() => tell(record))
}
