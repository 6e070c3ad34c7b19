import { activate } from '@dmp/release/activate'
import { openStore, toBucketAccess } from '@dmp/release/store/openStore'
import type { ReleaseStore } from '@dmp/release/store/ReleaseStore'
import { aKey, publishAs, register } from '@dmp/release/testing/signing'
import { startS3Server, type S3Server } from '@dmp/bucket/testing'
import { FreezableLine } from '../outside/testing/FreezableLine.ts'
import { byTests } from '../testing/releases.ts'
import { startServer, type TestServer } from '../testing/server.ts'

const location = 's3://dmp-objects/releases'

let s3: S3Server
let line: FreezableLine
let store: ReleaseStore
let server: TestServer

beforeAll(async () => {
  s3 = await startS3Server()
  line = new FreezableLine(new URL(s3.location.endpoint))
  store = openStore(location, toBucketAccess(s3.variables))
  const { DMP_S3_BUCKET: _objects, ...access } = s3.variables
  await activate(store, { parts: [await publishAs(store, 'host', 'one')] }, byTests)
  server = await startServer({ ...access, DMP_S3_ENDPOINT: await line.listen(), DMP_RELEASES: location })
})
afterAll(async () => {
  await server.close()
  line.close()
  await s3.close()
})

/** Each file would wait 8 s for the bucket: 30 of them longer than this test may take. */
it('sends the files of a signed part on while the bucket of the releases hangs [P43]', async () => {
  const key = aKey('ci')
  const first = await publishAs(store, 'remote-slow', 'before the keys')
  await activate(store, { parts: [first] }, byTests)
  await register(store, 'remote-slow', key)
  const release = await publishAs(store, 'remote-slow', 'good();'.repeat(100), key)
  await activate(store, { parts: [release] }, byTests)
  const ask = async () => (await server.app.inject(`/releases/${release.name}/${release.releaseId}/App.js`)).statusCode
  expect(await ask()).toBe(200)
  line.freeze()
  for (let time = 1; time <= 30; time += 1) {
    // Past the second for which a judgement holds, now and then.
    await new Promise((again) => setTimeout(again, 100))
    expect(await ask()).toBe(200)
  }
  line.thaw()
})
