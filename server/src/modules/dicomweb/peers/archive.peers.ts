import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { callsAt, objectOf, type OutsideCalls } from '../../../testing/callsFromOutside.ts'
import { startChild, type Ended } from '../../../testing/childServer.ts'
import { startOrthanc, type Orthanc } from './orthancInTests.ts'

/** Orthanc as the archive that keeps our objects: one that hangs, and one that lost some of them. */

jest.setTimeout(180_000)

let orthanc: Orthanc
let folder: string
let variables: Record<string, string>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dmp-archived-'))
  orthanc = await startOrthanc({ Url: 'http://127.0.0.1:9/' })
  variables = {
    DMP_DEMO: '1',
    DMP_DATA_DIR: folder,
    DMP_DISK_NOTICE_MB: '0',
    DMP_DICOMWEB_URL: `${orthanc.url}/dicom-web`,
    DMP_DICOMWEB_DELETE: 'orthanc',
  }
})
afterAll(async () => {
  await orthanc.close()
  rmSync(folder, { recursive: true, force: true })
})

async function serve<T>(
  act: (calls: OutsideCalls, headers: Record<string, string>, url: string) => Promise<T>,
): Promise<T> {
  const child = startChild(variables)
  try {
    const address = (await child.ready).replace('localhost', '127.0.0.1')
    const calls = callsAt(address)
    return await act(calls, await calls.signIn(), address)
  } finally {
    child.process.kill('SIGTERM')
    await child.ended
  }
}

const inOrder: Ended = { code: 0, out: 'Everything is in order.\n', errors: '' }
const kinds = ({ out }: Ended): string[] =>
  (JSON.parse(out) as { problems: { kind: string }[] }).problems.map(({ kind }) => kind).toSorted()

it('hangs: objects are answered with 503, within the time that somebody waits, and later as before [P21]', async () => {
  await serve(async (calls, headers, address) => {
    expect((await calls.stow(headers, [objectOf('1.96', 1), objectOf('1.96', 2)])).status).toBe(200)
    const url = `${address}/dicom-web/studies/1.96/series/1.96.1/instances/1.96.1.1`
    const read = () => fetch(url, { headers: { ...headers, accept: 'application/dicom' } })
    orthanc.hang()
    const began = performance.now()
    const answers = await Promise.all([read(), calls.stow(headers, [objectOf('1.96', 3)])])
    expect(answers.map(({ status }) => status)).toEqual([503, 503])
    // 8 s of waiting; the rest is for a busy machine.
    expect(performance.now() - began).toBeLessThan(15_000)
    orthanc.goOn()
    while ((await read()).status !== 200) await pause(100)
    expect((await calls.stow(headers, [objectOf('1.96', 3)])).status).toBe(200)
  })
})

it('`npm run fsck` finds what it lost, leaves others’ objects alone, and says when it hangs [P20]', async () => {
  const fsck = (...args: string[]): Promise<Ended> => startChild(variables, 'fsck.ts', args).ended
  expect(await fsck()).toEqual(inOrder)
  // Of another program that uses the same archive.
  const { ID } = await orthanc.call<{ ID: string }>('/instances', objectOf('1.95', 1))
  const [lost] = await orthanc.call<{ ID: string }[]>('/tools/lookup', Buffer.from('1.96.1.2'), 'POST')
  await orthanc.call(`/instances/${lost?.ID ?? ''}`, undefined, 'DELETE')
  const found = await fsck('--json')
  expect([found.code, kinds(found)]).toEqual([2, ['missing']])
  const repaired = await fsck('--repair', '--json')
  expect([repaired.code, kinds(repaired)]).toEqual([2, ['missing']])
  expect(await orthanc.call<string[]>('/instances')).toContain(ID)

  // The same object again brings its bytes back.
  await serve(async (calls, headers) => {
    expect((await calls.stow(headers, [objectOf('1.96', 2)])).status).toBe(200)
  })
  expect(await fsck()).toEqual(inOrder)
  orthanc.hang()
  const hanging = await fsck()
  orthanc.goOn()
  expect([hanging.code, hanging.out.includes('in order')]).toEqual([1, false])
})
