import { openBucket } from './bucket.ts'
import { startS3Server, type S3Server } from './testing/s3Server.ts'

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3Server()
})
afterAll(() => s3.close())

it('makes a bucket once, which can be used', async () => {
  const made = openBucket({ ...s3.location, bucket: 'made-here' })
  expect([await made.create(), await made.create(), await made.check()]).toEqual([true, false, undefined])
})

it('makes one in another region than the first', async () => {
  const made = openBucket({ ...s3.location, region: 'eu-central-1', bucket: 'made-there' })
  expect([await made.create(), await made.check()]).toEqual([true, undefined])
})
