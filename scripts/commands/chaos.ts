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
  process.exitCode = (await chaos(positionals, Number(values.times))) ? 0 : 1
})
