import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toBucketAccess } from '@dmp/release/store/openStore'
import { readSettings } from '../settings/settings.ts'
import { StartFailure } from '../core/StartFailure.ts'
import { Encryption } from './encryption/encryption.ts'
import { openObjectStore } from './openObjectStore.ts'
import { openReleaseStore } from './openReleaseStore.ts'

/** A file of its own: every request is noted, and a store that another test opened may still ask its bucket again. */
it("a bucket of objects and one of releases are Amazon's in the region where no endpoint is set", async () => {
  const asked: string[] = []
  const fetching = jest.spyOn(globalThis, 'fetch').mockImplementation((request) => {
    asked.push(new URL(request instanceof Request ? request.url : request).origin)
    return Promise.resolve(new Response('', { status: 403 }))
  })
  const settings = readSettings({
    DMP_DEMO: '1',
    DMP_DATA_DIR: mkdtempSync(join(tmpdir(), 'dmp-bucket-')),
    DMP_RELEASES: 's3://dmp-objects/releases',
    DMP_S3_BUCKET: 'objects',
    DMP_S3_REGION: 'eu-central-1',
    DMP_S3_ACCESS_KEY_ID: 'key',
    DMP_S3_SECRET_ACCESS_KEY: 'secret',
  })
  await expect(openReleaseStore(settings)).rejects.toThrow(StartFailure)
  await expect(openObjectStore(settings, {} as never, new Encryption({} as never, [], {} as never))).rejects.toThrow(
    StartFailure,
  )
  expect(new Set(asked)).toEqual(new Set(['https://s3.eu-central-1.amazonaws.com']))
  expect(
    toBucketAccess({ DMP_S3_REGION: 'eu-central-1', DMP_S3_ACCESS_KEY_ID: 'key', DMP_S3_SECRET_ACCESS_KEY: 'secret' })
      ?.endpoint,
  ).toBe(asked[0])
  expect(asked.length).toBeGreaterThan(1)
  fetching.mockRestore()
})
