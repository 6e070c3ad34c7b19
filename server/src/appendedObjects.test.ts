import { randomBytes } from 'node:crypto'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parsePlace } from './outside/segments/segmentFormat.ts'
import { segmentObjectStore } from './outside/objectStoreSegments.ts'
import { callsAt, objectOf, type OutsideCalls } from './testing/callsFromOutside.ts'
import { startChild, type Ended } from './testing/childServer.ts'
import { prepareFolder } from './testing/prepared.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-appended-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const objects = [1, 2, 3, 4].map((number) => objectOf('1.96', number, 8192))

/** Runs a server until this is done. */
async function whileItRuns(
  variables: Record<string, string>,
  act: (calls: OutsideCalls, headers: Record<string, string>) => Promise<void>,
): Promise<void> {
  const child = startChild(variables)
  const calls = callsAt((await child.ready).replace('localhost', '127.0.0.1'))
  await act(calls, await calls.signIn())
  child.process.kill('SIGTERM')
  expect((await child.ended).code).toBe(0)
}

async function countFound(calls: OutsideCalls, headers: Record<string, string>): Promise<number> {
  let found = 0
  for (const number of [1, 2, 3, 4]) {
    const path = `/dicom-web/studies/1.96/series/1.96.1/instances/1.96.1.${number}`
    const { status } = await calls.ask('GET', path, { ...headers, accept: 'application/dicom' })
    if (status === 200) found += 1
  }
  return found
}

describe('a data folder whose objects are appended', () => {
  it.each(['in the clear', 'encrypted'])(
    'is checked byte for byte, and goes back to files for servers that know no segments, %s [P20, P23, P98]',
    async (kind) => {
      const before: Record<string, string> = {
        DMP_DEMO: '1',
        DMP_DATA_DIR: join(folder, kind),
        DMP_DISK_NOTICE_MB: '0',
        ...(kind === 'encrypted' && { DMP_ENCRYPTION_KEY: randomBytes(32).toString('base64') }),
      }
      const variables = { ...before, DMP_APPEND_OBJECTS: '1' }
      const fsck = (...args: string[]): Promise<Ended> => startChild(variables, 'fsck.ts', args).ended
      const toFiles = (of: Record<string, string>): Promise<Ended> =>
        startChild(of, 'admin.ts', ['objects-to-files']).ended

      await prepareFolder(join(folder, kind))
      // What was there before is a file, and stays one.
      await whileItRuns(before, async (calls, headers) => {
        expect((await calls.stow(headers, objects.slice(0, 1))).status).toBe(200)
      })
      await whileItRuns(variables, async (calls, headers) => {
        expect((await calls.stow(headers, objects.slice(1))).status).toBe(200)
        expect(await countFound(calls, headers)).toBe(4)
      })
      const keys: string[] = []
      for await (const { key } of segmentObjectStore(join(folder, kind), { appends: false }).list())
        if (parsePlace(key)) keys.push(key)
      expect(keys.length).toBe(3)
      expect(await fsck()).toMatchObject({ code: 0, out: 'Everything is in order.\n' })

      const { segment, offset, length } = parsePlace(keys[0] ?? '') ?? { segment: '', offset: 0, length: 0 }
      const path = join(folder, kind, 'segments', `${segment}.seg`)
      const bytes = readFileSync(path)
      const flipped = Buffer.from(bytes)
      flipped[offset + length - 20] = (flipped[offset + length - 20] ?? 0) ^ 1
      writeFileSync(path, flipped)
      const found = await fsck('--json')
      expect([found.code, JSON.parse(found.out)]).toEqual([
        2,
        { problems: [{ kind: 'damaged', what: keys[0], isRepaired: false }] },
      ])
      writeFileSync(path, bytes)

      const refused = await toFiles(variables)
      expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('DMP_APPEND_OBJECTS is set')])
      expect(await toFiles(before)).toMatchObject({ code: 0, out: expect.stringContaining('3 objects are files now.') })
      expect([existsSync(path), globSync('objects/**/1.96.1.*', { cwd: join(folder, kind) }).length]).toEqual([
        false,
        4,
      ])
      await whileItRuns(before, async (calls, headers) => expect(await countFound(calls, headers)).toBe(4))
    },
  )
})
