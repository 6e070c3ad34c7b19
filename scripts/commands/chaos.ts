import { parseArgs } from 'node:util'
import { chaos } from '../chaos/chaos.ts'
import { findMissing } from '../chaos/failOver.ts'
import { buildStale } from '../workspace/builds.ts'
import { exitOnError } from '../workspace/runProcess.ts'

/**
 * `npm run chaos -- primary bucket`: the blows that have these words in their names; all without any. `--times 5` for
 * what is seen once in a while.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '1' } },
})
await exitOnError(async () => {
  const missing = findMissing()
  if (missing !== undefined) throw new Error(missing)
  await buildStale()
  const isWell = await chaos(positionals, Number(values.times))
  // By itself it ends once nothing is open any more. What still is says so, and does not keep it.
  setTimeout(() => {
    console.error(`Still open at the end: ${process.getActiveResourcesInfo().join(', ')}`)
    process.exit(isWell ? 0 : 1)
  }, 15_000).unref()
  process.exitCode = isWell ? 0 : 1
})
