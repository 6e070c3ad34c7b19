import { buildStale, publishBuilt } from '../releases.ts'
import { orEnd } from '../stage.ts'

await orEnd(async () => {
  await buildStale(process.argv.slice(2))
  await publishBuilt()
})
