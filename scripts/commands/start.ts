import { buildStale, publishBuilt } from '../releases.ts'
import { makeUploaderMeanwhile } from '../makeUploader.ts'
import { orEnd } from '../stage.ts'

process.env.DMP_DEMO = '1'
await orEnd(async () => {
  await buildStale()
  await publishBuilt()
})
await import('../../server/src/main.ts')
// Tests start the demo often and have a test of the uploader's making.
if (process.env.DMP_UPLOADER_MEANWHILE !== '0') void makeUploaderMeanwhile()
