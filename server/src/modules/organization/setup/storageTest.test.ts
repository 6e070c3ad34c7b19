import { Readable } from 'node:stream'
import type { Dependencies } from '../../../dependencies.ts'
import { ObjectStoreError } from '../../../outside/objectStore.ts'
import { describeMail } from './mailTest.ts'
import { describeStorage, testStorage } from './storageTest.ts'

type Store = Parameters<typeof testStorage>[0]
const steps: string[] = []
beforeEach(() => {
  steps.length = 0
})

/** A store of which one step goes wrong. */
function aStore(over: Partial<Dependencies['objects']> = {}, isOn = false, s3Bucket?: string): Store {
  let kept: Buffer = Buffer.alloc(0)
  const step = (name: string) => async (): Promise<void> => void steps.push(name)
  const objects = {
    isArchive: false,
    stage: async (content: Buffer) => {
      kept = content
      return { sha256: 'a'.repeat(64), nameHash: 'a'.repeat(64), size: content.length, nameEnd: 'end' }
    },
    intend: step('intended'),
    keep: step('kept'),
    read: async () => Readable.from([kept]),
    remove: step('removed'),
    ready: step('asked'),
    ...over,
  }
  const encryption = { isOn, current: async () => undefined }
  return { objects, encryption, settings: { s3Bucket }, log: { warn: step('logged') } } as unknown as Store
}
const failing = (cause: unknown) => ({ keep: () => Promise.reject(cause as Error) })

describe('the test of the storage', () => {
  it('writes, reads and removes an object', async () => {
    expect(await testStorage(aStore())).toEqual({
      isGood: true,
      sentence: 'A test object was written, read back and removed.',
    })
    expect(steps).toEqual(['intended', 'kept', 'removed'])
  })

  it('says where what comes back is something else, and leaves nothing of it', async () => {
    const changed = await testStorage(aStore({ read: async () => Readable.from([Buffer.alloc(4096)]) }))
    expect(changed).toEqual({
      isGood: false,
      sentence: 'A test object came back changed. Do not store scans there; check the store.',
    })
    expect(steps).toContain('removed')
    const lost = new ObjectStoreError('MISSING')
    expect(await testStorage(aStore({ read: () => Promise.reject(lost) }))).toEqual({
      isGood: false,
      sentence: lost.message,
    })
    expect(steps.filter((step) => step === 'removed')).toHaveLength(2)
  })

  it.each([
    [
      'ENOSPC',
      Object.assign(new Error('x'), { code: 'ENOSPC' }),
      'The disk is full, or its reserve is reached. Free some space and test again.',
    ],
    [
      'another code',
      Object.assign(new Error('x'), { code: 'EIO' }),
      'The test object could not be stored (EIO). The log says more.',
    ],
    ['no code', new Error('x'), 'The test object could not be stored. The log says more.'],
    ['no reason', undefined, 'The test object could not be stored. The log says more.'],
  ])('says what failed: %s', async (_what, cause, sentence) => {
    expect(await testStorage(aStore(failing(cause)))).toEqual({ isGood: false, sentence })
    expect(steps).toContain('logged')
  })

  it('asks an archive, and writes nothing to it', async () => {
    expect((await testStorage(aStore({ isArchive: true }))).isGood).toBe(true)
    expect(steps).toEqual(['asked'])
    const away = new ObjectStoreError('UNAVAILABLE')
    const asked = await testStorage(aStore({ isArchive: true, ready: () => Promise.reject(away) }))
    expect(asked).toEqual({ isGood: false, sentence: away.message })
  })
})

it('what is said of the storage and the mails is where they are, and nothing secret', () => {
  const said = [
    aStore({ isArchive: true }),
    aStore({}, true, 's3://scans'),
    aStore({}, false, 's3://scans'),
    aStore({}, true),
    aStore({}, false),
  ].map((store) => describeStorage(store))
  expect(said).toEqual([
    'Scans are kept in a DICOM archive (DMP_DICOMWEB_URL).',
    'Scans are kept in the bucket s3://scans, encrypted.',
    'Scans are kept in the bucket s3://scans.',
    'Scans are kept in the data folder of the server, encrypted. Include it in your backups.',
    'Scans are kept in the data folder of the server. Include it in your backups.',
  ])
  const mailOf = (smtpUrl: string | undefined) =>
    describeMail({ settings: { smtpUrl, mailFrom: 'dmp@clinic.example' } as unknown as Dependencies['settings'] })
  expect([mailOf(undefined), mailOf('smtps://user:secret@mail.clinic.example:465')]).toEqual([
    'No mail server is set: mails stay in the mailbox of the demo.',
    'Mails go out through mail.clinic.example, from dmp@clinic.example.',
  ])
})
