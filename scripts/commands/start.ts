import { buildStale, publishBuilt } from '../workspace/builds.ts'
import { buildDemoUploader } from '../workspace/demoUploader.ts'
import { exitOnError } from '../workspace/runProcess.ts'

process.env.DMP_DEMO = '1'
await exitOnError(async () => {
  await buildStale()
  await publishBuilt()
})
await import('../../server/src/main.ts')
// Tests start the demo often and have a test of the uploader's making.
if (process.env.DMP_UPLOADER_MEANWHILE !== '0') void buildDemoUploader()
