import { writeBills } from '../workspace/billsOfMaterials.ts'
import { buildStale, publishBuilt } from '../workspace/builds.ts'
import { exitOnError } from '../workspace/runProcess.ts'

await exitOnError(async () => {
  await buildStale(process.argv.slice(2))
  await publishBuilt()
  await writeBills()
})
