import { buildStale, isRegistryEmpty, publishBuilt } from '../workspace/builds.ts'
import { exitOnError } from '../workspace/runProcess.ts'

if (['1', 'true'].includes(process.env.DMP_DEMO ?? '')) {
  console.error(
    'npm run serve is production mode and has no demo accounts. Unset DMP_DEMO, or use npm start for the demo.',
  )
  process.exit(1)
}
await exitOnError(async () => {
  // `npm run release` decides the live releases of production; only the very first start takes the builds of this
  // checkout.
  if (await isRegistryEmpty()) {
    await buildStale()
    await publishBuilt()
  }
})
await import('../../server/src/main.ts')
