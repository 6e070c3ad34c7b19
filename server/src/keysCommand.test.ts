import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pino } from 'pino'
import { makeServer, type Server } from './app.ts'
import { dicomFile, slice, text } from './dicom/testing/dicomFile.ts'
import { commit } from './modules/scan/intake/commit.ts'
import { isPrepared, prepare } from './modules/scan/intake/intake.ts'
import { readSettings } from './settings/settings.ts'
import { startChild, type Ended } from './testing/childServer.ts'
import { createTestMasterKey } from './testing/objects.ts'

/** The operator's way through the years of one data folder: in the clear, encrypted, both kinds of keys replaced. */
const folder = mkdtempSync(join(tmpdir(), 'dmp-keys-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const signingKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const variables = {
  DMP_DEMO: '1',
  DMP_SECRET: 's'.repeat(40),
  DMP_SIGNING_KEY: signingKey,
  DMP_DATA_DIR: folder,
}
const [first, second] = [createTestMasterKey(), createTestMasterKey()]
const keys = (master: string, ...words: string[]): Promise<Ended> =>
  startChild({ ...variables, ...(master && { DMP_ENCRYPTION_KEY: master }) }, 'admin.ts', ['keys', ...words]).ended

async function onServer<T>(master: string, work: (server: Server, northId: string) => Promise<T>): Promise<T> {
  const settings = readSettings({ ...variables, ...(master && { DMP_ENCRYPTION_KEY: master }) })
  const server = await makeServer(settings, { log: pino({ level: 'silent' }) })
  try {
    const { id } = await server.deps.db
      .selectFrom('organizations')
      .select('id')
      .where('name', '=', 'North-Clinic')
      .executeTakeFirstOrThrow()
    return await work(server, id)
  } finally {
    await server.close()
  }
}

const object = (number: number): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `1.62.1.${number}`),
      '0020000D': text('UI', '1.62'),
      '0020000E': text('UI', '1.62.1'),
      '00100010': text('PN', 'Canarybird^Tilda'),
    }),
  })
async function add({ deps }: Server, organizationId: string, numbers: readonly number[]): Promise<void> {
  const incoming = { organizationId, source: 'Test', context: { request: { id: 'test', ip: 'here' } } }
  const prepared = await Promise.all(numbers.map((number) => prepare(deps, incoming, object(number), 2 ** 20)))
  await commit(deps, incoming, prepared.filter(isPrepared))
}
/** Whether all objects read as they were stored, and with how many keys. */
async function readAll({ deps }: Server): Promise<{ intact: number; keyIds: number; clear: number }> {
  const rows = await deps.db.selectFrom('instances').selectAll().where('series_uid', '=', '1.62.1').execute()
  let intact = 0
  for (const { object_key: key, sop_instance_uid: uid } of rows)
    if ((await buffer(await deps.objects.read(key))).equals(object(Number(uid.split('.').at(-1))))) intact += 1
  const keyIds = rows.map((row) => row.key_id)
  return {
    intact,
    keyIds: new Set(keyIds.filter((id) => id !== null)).size,
    clear: keyIds.filter((id) => id === null).length,
  }
}
const revealing = (): number =>
  readdirSync(join(folder, 'objects'), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, 'objects', name))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes('Canarybird')).length

describe('the keys of an installation', () => {
  it.each([[[]], [['list', 'more']], [['rotate']], [['rotate', '--master', '--organization', 'x']]])(
    'keys %j is answered with how it is used',
    async (words) => {
      const { code, errors } = await keys('', ...words)
      expect([code, errors]).toEqual([1, expect.stringContaining('npm run admin -- keys list')])
    },
  )

  it('are not there at first: everything is in the clear, and the commands say what to do', async () => {
    await onServer('', (server, northId) => add(server, northId, [1, 2, 3]))
    expect(revealing()).toBe(3)
    const listed = await keys('', 'list')
    expect([listed.code, listed.out]).toEqual([0, expect.stringMatching(/encryption is off[^]*clear: 3 objects, 1 MB/)])
    const refused = await keys('', 'encrypt')
    expect([refused.code, refused.errors]).toEqual([1, expect.stringMatching(/^Encryption is off.*DMP_ENCRYPTION_KEY/)])
  })

  it('encrypt what is new at once, and what is old when the operator says so, as often as it takes', async () => {
    await onServer(first, async (server, northId) => {
      await add(server, northId, [4])
      expect(await readAll(server)).toEqual({ intact: 4, keyIds: 1, clear: 3 })
    })
    expect(revealing()).toBe(3)
    const { code, out } = await keys(first, 'encrypt', '--pace', '100')
    expect([code, out]).toEqual([0, expect.stringContaining('North-Clinic: 3 objects, 1 MB encrypted.')])
    expect((await keys(first, 'encrypt', '--organization', 'north-clinic')).out).toContain('North-Clinic: 0 objects')
    expect(revealing()).toBe(0)
    expect(readdirSync(join(folder, 'incoming'))).toEqual([])
    await onServer(first, async (server) => expect(await readAll(server)).toEqual({ intact: 4, keyIds: 1, clear: 0 }))
  })

  it('are needed at every start from then on', async () => {
    for (const master of ['', second]) {
      const ended = await startChild({ ...variables, ...(master && { DMP_ENCRYPTION_KEY: master }) }).ended
      expect([ended.code, ended.errors]).toEqual([
        1,
        expect.stringMatching(/^Scans of this installation are encrypted/),
      ])
    }
  })

  it('rotate, the master and the data key, and nothing becomes unreadable', async () => {
    const rotated = await keys(`${second} ${first}`, 'rotate', '--master')
    expect([rotated.code, rotated.errors, rotated.out]).toEqual([0, '', expect.stringMatching(/^[1-9]\d* data keys/)])
    expect((await keys(second, 'rotate', '--organization', 'North-Clinic')).out).toContain('has the data key')
    await onServer(second, async (server, northId) => {
      await add(server, northId, [5])
      expect(await readAll(server)).toEqual({ intact: 5, keyIds: 2, clear: 0 })
    })
    expect((await keys(second, 'encrypt')).out).toContain('North-Clinic: 4 objects')
    await onServer(second, async (server) => expect(await readAll(server)).toEqual({ intact: 5, keyIds: 1, clear: 0 }))
    const { out } = await keys(second, 'list')
    expect(out).toMatch(/\(current\): 5 objects[^]*\(retired\): 0 objects/)
  })

  it('leave an object that was changed as it is, and name it', async () => {
    const [name = ''] = readdirSync(join(folder, 'objects'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.enc'),
    )
    rmSync(join(folder, 'objects', name))
    await keys(second, 'rotate', '--organization', 'North-Clinic')
    const { code, errors } = await keys(second, 'encrypt')
    expect([code, errors]).toEqual([1, expect.stringContaining(`missing or damaged: ${name}`)])
    expect(errors).toContain('North-Clinic: 4 objects')
  })
})
