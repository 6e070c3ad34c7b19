import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { sampleObjects } from '../../../dicom/sampleObjects.ts'
import { stow } from '../../../testing/stow.ts'
import { endRecords, localHeader, toDirectory } from './archiveFormat.ts'
import { addressOf, admin, exported, server, startWithScans } from './exportInTests.ts'

/** An organization's export as curl, unzip, Python, sha256sum and dcmtk take it. */

jest.setTimeout(600_000)
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'dmp-export-peers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const script = `
import sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
print(len(archive.namelist()), archive.testzip())
`
const python = async (path: string): Promise<string> =>
  (await run('/usr/bin/python3', ['-c', script, path])).stdout.trim()

describe('an export of real objects', () => {
  const path = join(folder, 'export.zip')
  const place = join(folder, 'export')
  beforeAll(async () => {
    await startWithScans()
    const samples = sampleObjects()
      .filter((sample) => ['rle.dcm', 'US-PAL-8-10x-echo.dcm'].includes(basename(sample)))
      .map((sample) => readFileSync(sample))
    expect((await stow(server, admin, samples)).statusCode).toBe(200)
    const url = `${await server.listen()}${await addressOf(await exported())}`
    // Broken off in the middle, and gone on with.
    await run('curl', ['-sS', '-r', '0-20000', '-o', path, url])
    await run('curl', ['-sS', '-C', '-', '-o', path, url])
  })
  afterAll(() => server.close())

  it('is whole to unzip, to Python and to sha256sum [P70]', async () => {
    const tested = await run('unzip', ['-tqq', path])
    expect(tested.stdout + tested.stderr).toBe('')
    expect(await python(path)).toMatch(/^\d+ None$/)
    await run('unzip', ['-q', path, '-d', place])
    for (const cwd of [place, join(place, 'scans-0001')])
      await run('sha256sum', ['--quiet', '-c', 'SHA256SUMS'], { cwd })
  })

  it('has a DICOMDIR by which dcmtk finds every file, with what stands in it [P61, P70]', async () => {
    const set = join(place, 'scans-0001')
    const { stdout } = await run('dcmdump', ['+L', join(set, 'DICOMDIR')])
    const read = (tag: string) =>
      stdout.split('\n').flatMap((line) => (line.includes(`(${tag})`) ? [/\[([^\][]*)\]/.exec(line)?.[1] ?? ''] : []))
    const files = read('0004,1500').map((value) => value.split('\\').join('/'))
    const instances = read('0004,1511')
    const { stdout: stored } = await run('find', ['DICOM', '-type', 'f'], { cwd: set })
    expect([...files].sort()).toEqual(stored.trim().split('\n').sort())
    for (const [index, file] of files.entries()) {
      const { stdout: header } = await run('dcmdump', ['+P', '0008,0018', join(set, file)])
      expect(header).toContain(`[${instances[index]}]`)
    }
  })
})

describe('the format of an archive', () => {
  it('is read where files are longer, and stand further behind, than 32 bits can say [P70]', async () => {
    const path = join(folder, 'long.zip')
    const long = { name: 'long', size: 2 ** 32 + 10, crc: 0 }
    const text = Buffer.from('behind')
    const last = { name: 'last.txt', size: text.length, crc: crc32(text) }
    const start = localHeader(long).length + long.size
    const { bytes, end } = toDirectory([long, last], 0)
    const handle = await open(path, 'w')
    // What is not written is zero, and takes no room.
    await handle.write(localHeader(long), 0, undefined, 0)
    await handle.write(Buffer.concat([localHeader(last), text]), 0, undefined, start)
    await handle.write(bytes, 0, undefined, end)
    await handle.write(endRecords({ files: 2, start: end, bytes: bytes.length }), 0, undefined, end + bytes.length)
    await handle.close()
    expect((await run('unzip', ['-p', path, 'last.txt'])).stdout).toBe('behind')
    const read = `import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.read('last.txt'), z.getinfo('long').file_size)`
    expect((await run('/usr/bin/python3', ['-c', read, path])).stdout.trim()).toBe(`b'behind' ${2 ** 32 + 10}`)
  })

  it('is read with more files than 16 bits can count [P70]', async () => {
    const path = join(folder, 'many.zip')
    const files = Array.from({ length: 66_000 }, (_, index) => ({ name: `f${index}`, size: 1, crc: crc32('x') }))
    const { bytes, end } = toDirectory(files, 0)
    const stored = files.map((file) => Buffer.concat([localHeader(file), Buffer.from('x')]))
    writeFileSync(
      path,
      Buffer.concat([...stored, bytes, endRecords({ files: 66_000, start: end, bytes: bytes.length })]),
    )
    expect((await run('unzip', ['-tqq', path])).stdout).toBe('')
    expect(await python(path)).toBe('66000 None')
  })
})
