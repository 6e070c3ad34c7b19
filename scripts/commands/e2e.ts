import { contents, seed, unseed } from '../../e2e/support/seededWorld.ts'
import { alertAt, monitor } from '../journeys/monitor.ts'
import { compareRuns } from '../journeys/compareRuns.ts'
import { runOtherBrowser, type OtherBrowser } from '../journeys/runOtherBrowser.ts'
import { runJourneys } from '../journeys/runJourneys.ts'
import { listRuns, readRun } from '../journeys/runRecord.ts'
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
    const minutes = Number(rest[0] ?? 5)
    if (!(minutes > 0)) throw new Error('Say how many minutes lie between two runs: npm run e2e -- monitor 5')
    const end = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort())
    process.env.E2E_VIDEO = '0'
    console.log(`Journeys that only read, against ${getAddress()}, every ${minutes} minutes. Ctrl+C ends it.`)
    const alert = process.env.E2E_ALERT_URL ? alertAt(process.env.E2E_ALERT_URL) : undefined
    const run = () => runJourneys(['--grep', '@smoke'], { isQuiet: true })
    const failedRuns = await monitor({ minutes, run, signal: end.signal, say: console.log, alert })
    process.exitCode = failedRuns === 0 ? 0 : 1
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

const work = commands[command]
if (work) await exitOnError(work)
else {
  // A person who looks for the cause of a failure wants to see it; `npm test` first finds out whether there is one.
  process.env.E2E_VIDEO ??= '1'
  const { failed } = await runJourneys(process.argv.slice(2))
  process.exitCode = failed === 0 ? 0 : 1
}
