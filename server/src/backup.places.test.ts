import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { startS3Server, type S3Server } from '@dmp/bucket/testing'
import { BackedUpPlaces, bytesIn, countNew, readBack, runCommand, setsIn } from './testing/backedUpPlaces.ts'
import { objectOf } from './testing/callsFromOutside.ts'

jest.setTimeout(600_000)

const places = new BackedUpPlaces()
let s3: S3Server
beforeAll(async () => {
  s3 = await startS3Server('backup/')
})
afterAll(async () => {
  await places.end()
  await s3.close()
})

const objects = [1, 2, 3, 4, 5].map((number) => objectOf('1.92', number, 8192))

// What a backup does when it is damaged, altered or old does not depend on where its objects were.
describe.each(['segments', 'encrypted bucket'] as const)('npm run backup and npm run restore: %s', (kind) => {
  const keys = kind === 'encrypted bucket' ? { DMP_ENCRYPTION_KEY: randomBytes(32).toString('base64') } : {}
  const folder = join(places.work, `${kind} backups`)

  it('copy only what is new, prove it, and give it back in another place [P24, P87]', async () => {
    const original = await places.makeOriginal(kind, keys, s3)
    let samples = 0
    await places.whileItRuns(original, async (calls) => {
      const headers = await calls.signIn()
      expect((await calls.stow(headers, objects.slice(0, 3))).status).toBe(200)
      samples = countNew(await runCommand(original, 'backup', folder)) - 3
      expect(samples).toBeGreaterThan(0)
      expect((await calls.stow(headers, objects.slice(3))).status).toBe(200)
      expect(countNew(await runCommand(original, 'backup', folder))).toBe(2)
    })
    expect([setsIn(folder).length, bytesIn(folder).length]).toEqual([2, samples + 5])
    const checked = await runCommand(original, 'restore', folder, '--check')
    expect(checked).toMatchObject({ code: 0, errors: '', out: expect.stringContaining(' is good.\n') })

    const place = await places.makeEmpty(kind, 'restored', keys, s3)
    expect(await runCommand(place, 'restore', folder)).toMatchObject({ code: 0, errors: '' })
    expect(await runCommand(place, 'fsck')).toMatchObject({ code: 0, out: 'Everything is in order.\n' })
    await places.whileItRuns(place, async (calls) => {
      expect(await readBack(calls)).toEqual([1, 2, 3, 4, 5])
      expect((await calls.stow(await calls.signIn(), [objectOf('1.93', 1)])).status).toBe(200)
    })
  })
})
