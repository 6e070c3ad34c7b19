import { deflateRawSync } from 'node:zlib'
import { admin, northId, objects, server, south, southId, startWithScans } from '../export/exportInTests.ts'
import {
  archiveOfNorth,
  composeArchive,
  filesOf,
  importsOf,
  stockOf,
  toZip,
  withSums,
  type Files,
} from './importInTests.ts'

jest.setTimeout(600_000)

let archive: Buffer
let imports: ReturnType<typeof importsOf>
beforeAll(async () => {
  await startWithScans({ DMP_IMPORT_MAX_GB: '0.05' })
  archive = await archiveOfNorth()
  imports = importsOf(server)
})
afterAll(() => server.close())

const outcome = async (bytes: Buffer) => {
  const { state, reason, files, stored } = await imports.imported(south, southId, bytes)
  return { state, reason, files, stored }
}
/** With one file more, at the end. */
const withFile = (name: string, bytes = Buffer.from('x')): Buffer => toZip([...filesOf(archive), [name, bytes]])

const end = (bytes: Buffer): number => bytes.lastIndexOf(Buffer.from('PK\x05\x06'))
const directoryOf = (bytes: Buffer): number => bytes.readUInt32LE(end(bytes) + 16)
/** Where the record of a file begins in the directory. */
function recordOf(bytes: Buffer, name: string): number {
  const at = bytes.indexOf(name, directoryOf(bytes))
  return at - 46
}
function changed(act: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.from(archive)
  act(bytes)
  return bytes
}

/** A file that unpacks to so many zeros. */
function packedBomb(size: number): Buffer {
  const packed = deflateRawSync(Buffer.alloc(size))
  const bytes = toZip([...filesOf(archive), ['scans-0001/DICOM/BOMB', packed]])
  const at = recordOf(bytes, 'scans-0001/DICOM/BOMB')
  bytes.writeUInt16LE(8, at + 10)
  bytes.writeUInt32LE(size, at + 24)
  return bytes
}

describe('an archive that somebody made', () => {
  it.each<[what: string, make: () => Buffer, reason: string, files?: string[]]>([
    ['no zip', () => Buffer.from('letter to the editor'), 'Unreadable'],
    ['cut off', () => archive.subarray(0, archive.length - 50), 'Unreadable'],
    ['without its beginning', () => archive.subarray(500), 'Unreadable'],
    ['other files', () => toZip([['letter.txt', Buffer.from('x')]]), 'NotAnExport', ['export.json', 'SHA256SUMS']],
    ['a name with dots', () => withFile('../people.json'), 'Unsafe', ['../people.json']],
    ['dots in the middle', () => withFile('scans-0001/../../x'), 'Unsafe', ['scans-0001/../../x']],
    ['an absolute path', () => withFile('/etc/passwd'), 'Unsafe', ['/etc/passwd']],
    ['a drive of Windows', () => withFile('C:/x'), 'Unsafe', ['C?/x']],
    ['backslashes', () => withFile('..\\x'), 'Unsafe', ['..?x']],
    ['a zero in a name', () => withFile('x\0.json'), 'Unsafe', ['x?.json']],
    ['a record file twice', () => withFile('people.json', Buffer.from('[]\n')), 'Unsafe', ['people.json']],
    [
      'an object twice',
      () =>
        toZip(
          [...composeArchive(objects), ['scans-0001/DICOM/D00000/I00000', Buffer.from('x')]].sort(([a], [b]) =>
            String(a) < String(b) ? -1 : 1,
          ) as [string, Buffer][],
        ),
      'Unsafe',
      ['scans-0001/DICOM/D00000/I00000'],
    ],
    [
      'a set that comes again',
      () => toZip([...filesOf(withFile('scans-0002/SHA256SUMS')), ['scans-0001/DICOM/LATE', Buffer.from('x')]]),
      'Unsafe',
      ['scans-0001/DICOM/LATE'],
    ],
    ['two exports', () => withFile('other/people.json'), 'Unsafe', ['other/people.json']],
    [
      'a link',
      () => changed((bytes) => bytes.writeUInt32LE(0xa1ff0000, recordOf(bytes, 'people.json') + 38)),
      'Unsafe',
      ['people.json'],
    ],
    [
      'a file under a password',
      () => changed((bytes) => bytes.writeUInt16LE(1, recordOf(bytes, 'schema.json') + 8)),
      'Unreadable',
    ],
    [
      'packed by what nobody knows',
      () => changed((bytes) => bytes.writeUInt16LE(99, recordOf(bytes, 'schema.json') + 10)),
      'Unsafe',
      ['schema.json'],
    ],
    ['a bomb', () => packedBomb(48 * 2 ** 20), 'Unsafe', ['scans-0001/DICOM/BOMB']],
    ['more than there may be', () => packedBomb(60 * 2 ** 20), 'Unsafe', ['scans-0001/DICOM/BOMB']],
    ['more files than it has', () => changed((bytes) => bytes.writeUInt16LE(60_000, end(bytes) + 10)), 'Unreadable'],
    [
      'a directory behind its end',
      () => changed((bytes) => bytes.writeUInt32LE(0xfffffff0, end(bytes) + 16)),
      'Unreadable',
    ],
    ['a lie of 64 bits', () => longLie(), 'Unsafe', ['export.json']],
    ['an end that counts to 2^53', () => longEnd(), 'Unsafe'],
    [
      'a file behind the end',
      () => changed((bytes) => bytes.writeUInt32LE(archive.length - 10, recordOf(bytes, 'people.json') + 42)),
      'Unreadable',
    ],
  ])('is refused with the file that is wrong: %s [P12, P18, P75]', async (_what, make, reason, files = []) => {
    const before = await stockOf(server, southId)
    expect(await outcome(make())).toEqual({ state: 'Failed', reason, files, stored: 0 })
    expect(await stockOf(server, southId)).toEqual(before)
  })

  /** Its size stands in 64 bits, and is larger than anything. */
  function longLie(): Buffer {
    const files = filesOf(archive)
    const head = files.get('export.json') ?? Buffer.alloc(0)
    files.delete('export.json')
    const bytes = toZip([...files, ['export.json', head]])
    const at = recordOf(bytes, 'export.json')
    const name = bytes.subarray(at + 46, at + 46 + 'export.json'.length)
    const extra = Buffer.alloc(20)
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(16, 2)
    extra.writeBigUInt64LE(2n ** 52n, 4)
    extra.writeBigUInt64LE(2n ** 52n, 12)
    const record = Buffer.from(bytes.subarray(at, at + 46))
    record.writeUInt32LE(0xffffffff, 20)
    record.writeUInt32LE(0xffffffff, 24)
    record.writeUInt16LE(extra.length, 30)
    return Buffer.concat([bytes.subarray(0, at), record, name, extra, bytes.subarray(at + 46 + name.length)])
  }

  function longEnd(): Buffer {
    const at = end(archive)
    const long = Buffer.alloc(56)
    long.write('PK\x06\x06', 'latin1')
    long.writeBigUInt64LE(44n, 4)
    long.writeBigUInt64LE(2n ** 53n - 1n, 24)
    long.writeBigUInt64LE(2n ** 53n - 1n, 32)
    long.writeBigUInt64LE(BigInt(directoryOf(archive)), 48)
    const locator = Buffer.alloc(20)
    locator.write('PK\x06\x07', 'latin1')
    locator.writeBigUInt64LE(BigInt(at), 8)
    return Buffer.concat([archive.subarray(0, at), long, locator, archive.subarray(at)])
  }
})

describe('lists and records of an archive', () => {
  const altered = (act: (files: Files) => void, sums: (files: Files) => Files = (files) => files): Buffer => {
    const files = filesOf(archive)
    act(files)
    return toZip(sums(files))
  }

  it('have to be what was exported, or nothing is taken, and the file is named [P12, P75]', async () => {
    const before = await stockOf(server, southId)
    for (const name of ['people.json', 'audit.json', 'scans-0001/SHA256SUMS', 'export.json'])
      expect(
        await outcome(
          altered((files) => files.set(name, Buffer.concat([files.get(name) ?? Buffer.alloc(0), Buffer.from('\n')]))),
        ),
      ).toMatchObject({ state: 'Failed', reason: 'NotWhole', files: [name] })
    const without = altered((files) =>
      [...files.keys()].filter((name) => name.startsWith('scans-')).forEach((name) => files.delete(name)),
    )
    expect(await outcome(without)).toMatchObject({ reason: 'NotWhole', files: ['scans-0001/SHA256SUMS'] })
    const long = altered((files) => files.set('export.json', Buffer.alloc(70_000, ' ')), withSums)
    expect(await outcome(long)).toMatchObject({ reason: 'NotAnExport' })
    expect(await stockOf(server, southId)).toEqual(before)
  })

  it('are judged row by row, and bring no rights and nobody of elsewhere [P03, P12, P75]', async () => {
    const person = { civility: 'Ms', firstName: 'Eva', lastName: 'New', mobile: null, landline: null, fax: null }
    const people = [
      { ...person, email: 'eva@elsewhere.example', role: 'staff', status: 'Activated' },
      { ...person, email: 'root@elsewhere.example', role: 'super_admin', status: 'Activated' },
      { ...person, email: 'admin@north.example', role: 'admin', status: 'Activated' },
      { ...person, email: 'zero@elsewhere.example', firstName: 'a\0b', role: 'staff', status: 'Activated' },
      { ...person, email: 'half@elsewhere.example', firstName: 'a\ud800b', role: 'staff', status: 'Activated' },
    ].map((row) => JSON.stringify(row))
    const rows = [...people, '['.repeat(100_000), `{"x":[${'{},'.repeat(250_000)}{}]}`]
    const done = await imports.imported(
      south,
      southId,
      altered((files) => files.set('people.json', Buffer.from(`[\n${rows.join(',\n')}\n]\n`)), withSums),
    )
    expect(done).toMatchObject({ state: 'Done', refused: 0 })
    expect(done.records.find(({ kind }) => kind === 'people')).toMatchObject({ added: 1, refused: 6 })
    const [added] = await server.deps.db
      .selectFrom('users')
      .selectAll()
      .where('email', 'like', '%@elsewhere.example')
      .execute()
    expect(added).toMatchObject({ organization_id: southId, status: 'Deactivated', password_hash: null, role: 'staff' })
  })

  it('stay in the organization that they are brought to, whatever ids and UIDs they name [P02, P75]', async () => {
    const stock = await stockOf(server, northId)
    const files = composeArchive(objects)
    const head = JSON.parse(String(files.get('export.json'))) as object
    files.set(
      'export.json',
      Buffer.from(JSON.stringify({ ...head, organizationId: northId, organization: 'North-Clinic' })),
    )
    files.set(
      'imported.json',
      Buffer.from(`[\n${JSON.stringify({ id: `${northId}/1`, kind: 'audit', content: {} })}\n]\n`),
    )
    const done = await imports.imported(south, southId, toZip(withSums(files)))
    // The same objects lie in North as well: of that South is told nothing.
    expect(done).toMatchObject({ state: 'Done', stored: 0, present: 5, refused: 0 })
    expect(await stockOf(server, northId)).toEqual(stock)
    const chain = await server.deps.db.selectFrom('audit').select('event').where('chain', '=', northId).execute()
    expect(chain.map(({ event }) => event)).not.toContain('OrganizationImported')
    expect((await imports.list(admin, northId)).map(({ id }) => id)).toEqual([])
  })
})
