import { chaos } from '../chaos/chaos.ts'
import { findMissing } from '../chaos/failOver.ts'
import { buildStale } from '../workspace/builds.ts'
import { exitOnError } from '../workspace/runProcess.ts'

/** `npm run chaos -- primary bucket`: the blows that have these words in their names; all without any. */
await exitOnError(async () => {
  const missing = findMissing()
  if (missing !== undefined) throw new Error(missing)
  await buildStale()
  process.exitCode = (await chaos(process.argv.slice(2))) ? 0 : 1
})
