import { buildStale, publishBuilt } from '../releases.ts'
import { orEnd } from '../stage.ts'

process.env.DMP_DEMO = '1'
await orEnd(async () => {
  await buildStale()
  await publishBuilt()
})
await import('../../server/src/main.ts')
