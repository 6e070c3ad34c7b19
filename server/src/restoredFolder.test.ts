import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { makeServer } from './app.ts'
import { readSettings } from './settings/settings.ts'
import { callsAt, objectOf } from './testing/callsFromOutside.ts'
import { startChild, type Ended } from './testing/childServer.ts'
import { createTestMasterKey } from './testing/objects.ts'

/**
 * What docs/operations.md says of backups: a copy of the data folder, made while the server is stopped, restored at
 * another place. Meanwhile the original got another master key, which the copy knows nothing of.
 */
const work = mkdtempSync(join(tmpdir(), 'dmp-restored-'))
const [original, restored] = [join(work, 'original'), join(work, 'restored')]
const [first, second] = [createTestMasterKey(), createTestMasterKey()]
afterAll(() => rmSync(work, { recursive: true, force: true }))

const variablesOf = (folder: string, key: string) => ({
  DMP_DEMO: '1',
  DMP_DATA_DIR: folder,
  DMP_SECRET: 's'.repeat(40),
  ...(key && { DMP_ENCRYPTION_KEY: key }),
})
const start = (folder: string, key: string, ...command: [string?, string[]?]): Promise<Ended> =>
  startChild(variablesOf(folder, key), ...command).ended

async function whileItRuns(folder: string, key: string, act: (url: string) => Promise<void>): Promise<void> {
  const server = await makeServer(readSettings(variablesOf(folder, key)), { log: pino({ level: 'silent' }) })
  try {
    await act(await server.app.listen({ port: 0, host: '127.0.0.1' }))
  } finally {
    await server.close()
  }
}

const objects = [1, 2, 3].map((number) => objectOf('1.88', number, 8192))
const hashesOf = (folder: string): string[] =>
  readdirSync(join(folder, 'objects'), { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, 'objects', name)).isFile())
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(folder, 'objects', name)))
          .digest('hex')}`,
    )
    .sort()

/** Whether each object comes back byte for byte, by the door by which viewers read. */
async function readBack(url: string): Promise<boolean[]> {
  const headers = {
    ...(await callsAt(url).signIn()),
    accept: 'multipart/related; type="application/dicom"; transfer-syntax=*',
  }
  const reply = await fetch(`${url}/dicom-web/studies/1.88`, { headers })
  const body = Buffer.from(await reply.arrayBuffer())
  return objects.map((object) => body.includes(object))
}

let backup: string[]
it('a data folder is filled, encrypted, stopped, and copied; then the original gets another master key', async () => {
  await whileItRuns(original, first, async (url) => {
    const { stow, signIn } = callsAt(url)
    expect((await stow(await signIn(), objects)).status).toBe(200)
  })
  cpSync(original, restored, { recursive: true })
  backup = hashesOf(restored)
  expect(backup).toHaveLength(objects.length)
  for (const object of objects) expect(backup.join()).not.toContain(createHash('sha256').update(object).digest('hex'))
  const { code, out } = await start(original, `${second} ${first}`, 'admin.ts', ['keys', 'rotate', '--master'])
  expect([code, out]).toEqual([0, expect.stringMatching(/^[1-9]\d* data keys? w/)])
})

it.each([
  ['without a key', () => '', /and no master key is set/],
  ['with the key that came later', () => second, /and the settings name only local:/],
])('the copy does not start %s, and says which key it needs', async (_how, key, why) => {
  const { code, errors } = await start(restored, key())
  expect([code, errors]).toEqual([1, expect.stringMatching(why)])
  expect(errors).toMatch(
    /^Scans of this installation are encrypted: the master key local:[0-9a-f]{16} wraps \d+ data key/,
  )
  expect(errors).toMatch(/Without it these scans cannot be read\. Add it to DMP_ENCRYPTION_KEY/)
  expect(errors.trim().split('\n')).toHaveLength(1)
  // Neither does a command touch anything.
  const encrypted = await start(restored, key(), 'admin.ts', ['keys', 'encrypt'])
  expect([encrypted.code, encrypted.errors]).toEqual([1, expect.stringMatching(why)])
  expect(hashesOf(restored)).toEqual(backup)
})

it('and starts with the key of its time, behind the present one, with everything in it', async () => {
  await whileItRuns(restored, `${second} ${first}`, async (url) =>
    expect(await readBack(url)).toEqual([true, true, true]),
  )
  expect(hashesOf(restored)).toEqual(backup)
})
