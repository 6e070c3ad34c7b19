import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createZip, type ZipEntry } from './zipWriter.ts'

/** Zips as `unzip` and Python read them. */

const run = promisify(execFile)
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dmp-zip-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const chunk = Buffer.alloc(2 ** 20)
const zeros = (size: number): Readable =>
  Readable.from(
    (function* () {
      for (let rest = size; rest > 0; rest -= chunk.length) yield chunk.subarray(0, Math.min(rest, chunk.length))
    })(),
    { objectMode: false },
  )
const files = (count: number, size: number): ZipEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `DICOM/D${String(Math.floor(index / 1000)).padStart(5, '0')}/I${String(index).padStart(7, '0')}`,
    size,
    read: async () => zeros(size),
  }))

/** Bytes that are all zero take no room on the disk. */
async function save(entries: readonly ZipEntry[]): Promise<string> {
  const path = join(folder, 'scan.zip')
  const zip = await createZip(entries)
  const handle = await open(path, 'w')
  let at = 0
  for await (const piece of zip.open(0)) {
    const bytes = piece as Buffer
    if (!bytes.equals(chunk.subarray(0, bytes.length))) await handle.write(bytes, 0, bytes.length, at)
    at += bytes.length
  }
  await handle.truncate(at)
  await handle.close()
  expect([at, statSync(path).size]).toEqual([zip.size, zip.size])
  return path
}

const script = `
import sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
names = archive.namelist()
print(len(names), archive.testzip(), sum(info.file_size for info in archive.infolist()))
`

it.each([
  ['a common CT', 3000, 100],
  ['more files than the old end record can count', 66_000, 10],
  ['more than 4 GB', 9, 2 ** 29],
])(
  'a zip with %s is whole to unzip and to Python',
  async (_what, count, size) => {
    const path = await save([...files(count, size), { name: 'README.TXT', bytes: Buffer.from('x') }])
    const tested = await run('unzip', ['-tqq', path])
    expect(tested.stderr + tested.stdout).toBe('')
    const read = await run('/usr/bin/python3', ['-c', script, path])
    expect(read.stdout.trim()).toBe(`${count + 1} None ${count * size + 1}`)
  },
  600_000,
)
