import { acceptFirstPages, checkFirstPages } from '../checks/firstPages.ts'
import { writeBills } from '../workspace/billsOfMaterials.ts'
import { buildStale, publishBuilt } from '../workspace/builds.ts'
import { exitOnError } from '../workspace/runProcess.ts'

const words = process.argv.slice(2)
const isAccepting = words.includes('--accept')
const names = words.filter((word) => word !== '--accept')
await exitOnError(async () => {
  await buildStale(names.length > 0 ? names : undefined)
  await publishBuilt()
  await writeBills()
  if (isAccepting) await acceptFirstPages()
  // Said here, where it was built; `npm run check` and `npm test` fail by it.
  else if (names.length === 0) for (const problem of await checkFirstPages()) console.warn(problem)
})
