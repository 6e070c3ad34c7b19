import { writeBills } from '../workspace/billsOfMaterials.ts'
import { buildStale, publishBuilt } from '../workspace/builds.ts'
import { exitOnError } from '../workspace/runProcess.ts'

const names = process.argv.slice(2)
await exitOnError(async () => {
  await buildStale(names.length > 0 ? names : undefined)
  await publishBuilt()
  await writeBills()
})
