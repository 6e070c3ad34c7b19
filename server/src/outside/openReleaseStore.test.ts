import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { startS3Server, type S3Server } from '@dmp/bucket/testing'
import { activate } from '@dmp/release/activate'
import { publish } from '@dmp/release/publish'
import { toBucketAccess, openStore } from '@dmp/release/store/openStore'
import { aBuild } from '@dmp/release/testing/aBuild'
import { fastify } from 'fastify'
import { registerGateway } from '../gateway/gateway.ts'
import { readSettings } from '../settings/settings.ts'
import { StartFailure } from '../core/StartFailure.ts'
import { openReleaseStore } from './openReleaseStore.ts'

const place = 's3://dmp-objects/releases'
const code = 'x'.repeat(5000)
let s3: S3Server
beforeAll(async () => {
  s3 = await startS3Server()
})

const settingsOf = (variables: Readonly<Record<string, string>>) =>
  readSettings({ DMP_DEMO: '1', DMP_DATA_DIR: mkdtempSync(join(tmpdir(), 'dmp-bucket-')), ...variables })

it('pages and their files come from the bucket, and go on when it is gone', async () => {
  const pipeline = openStore(place, toBucketAccess(s3.variables))
  const parts = await Promise.all(
    ['host', 'remote-scan'].map((name) => publish(pipeline, aBuild(name, code), { commit: 'abc' })),
  )
  await activate(pipeline, { parts }, { by: 'a pipeline' })
  const app = fastify()
  const runtimeSettings = { applicationName: 'DMP', apiRoot: '/api', liveUrl: '/live' } as Parameters<
    typeof registerGateway
  >[1]['runtimeSettings']
  registerGateway(app, {
    store: await openReleaseStore(settingsOf({ ...s3.variables, DMP_RELEASES: place })),
    runtimeSettings,
  })
  const page = async () => (await app.inject('/scan')).body
  const url = /src="(\/releases\/remote-scan\/[^"]+\/remoteEntry\.js)"/.exec(await page())?.[1] ?? ''
  const file = async () => app.inject({ url, headers: { 'accept-encoding': 'br' } })
  const first = await file()
  expect([
    first.headers['content-encoding'],
    first.headers['cache-control'],
    String(brotliDecompressSync(first.rawPayload)),
  ]).toEqual(['br', 'public, max-age=31536000, immutable', `/* remote-scan */ ${code}`])

  await expect(openReleaseStore(settingsOf({ ...s3.variables, DMP_RELEASES: 's3://nobodys/x' }))).rejects.toThrow(
    /The bucket nobodys .* does not exist\. Create it/,
  )
  await s3.close()
  expect((await file()).rawPayload).toEqual(first.rawPayload)
  // Longer than a list is believed: the bucket is really asked, and does not respond.
  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
  expect(await page()).toContain(url)
  jest.restoreAllMocks()
  await app.close()
})

it('a bucket without keys ends the start with a sentence', async () => {
  const opening = openReleaseStore(settingsOf({ DMP_RELEASES: place }))
  await expect(opening).rejects.toThrow(StartFailure)
  await expect(opening).rejects.toThrow(
    /Credentials for s3:\/\/dmp-objects\/releases are missing\. Set DMP_S3_ACCESS_KEY_ID and DMP_S3_SECRET_ACCESS_KEY, and DMP_S3_ENDPOINT/,
  )
})

it('a folder is taken as it is named', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'dmp-bucket-')), 'elsewhere')
  expect((await openReleaseStore(settingsOf({ DMP_RELEASES: folder }))).location).toBe(folder)
  const settings = settingsOf({})
  expect((await openReleaseStore(settings)).location).toBe(join(settings.dataDir, 'releases'))
})
