import { keptAddresses } from '../drills/keptAddresses.ts'
import { manyReleases } from '../drills/manyReleases.ts'
import { skew } from '../drills/skew.ts'
import { exitOnError } from '../workspace/runProcess.ts'

await exitOnError(async () => {
  const counts = [await skew(), await manyReleases(), await keptAddresses()]
  process.exitCode = counts.every(({ failed }) => failed === 0) ? 0 : 1
})
