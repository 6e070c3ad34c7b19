import { Readable } from 'node:stream'
import { ArchiveFault, checkArchive, readSets, readText, type ArchivePlace } from './archiveReader.ts'
import { toZip } from './importInTests.ts'

const text = (value: string): Buffer => Buffer.from(value)
const placeOf = (bytes: Buffer): ArchivePlace => ({
  size: bytes.length,
  open: (start, end) => Readable.from([bytes.subarray(start, end)]),
})
const three = toZip(
  ['scans-0001', 'scans-0002', 'scans-0010'].flatMap((set) => [
    [`${set}/SHA256SUMS`, text(set)] as const,
    [`${set}/DICOM/D00000/I00000`, text('object')] as const,
    [`${set}/DICOM/D00000/I00001`, text('object')] as const,
  ]),
)
const setsFrom = async (place: ArchivePlace, done: number): Promise<string[]> => {
  const sets: string[] = []
  for await (const { name, files } of readSets(place, done)) sets.push(`${name}: ${[...files.keys()].join()}`)
  return sets
}
const listed = (name: string): string => `${name}: SHA256SUMS,DICOM/D00000/I00000,DICOM/D00000/I00001`

/** As a program of Windows packs a folder: nothing is said of rights, and folders have entries of their own. */
function packedByWindows(): Buffer {
  const bytes = toZip([
    ['North/', text('')],
    ['North/scans-0001/', text('')],
    ['North/scans-0001/SHA256SUMS', text('list')],
    ['North/scans-0001/DICOM/', text('')],
    ['North/scans-0001/DICOM/I0', text('object')],
    ['North/people.json', text('[]')],
    ['North/letter.txt', text('not ours')],
  ])
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 1))
    bytes.writeUInt32LE(0x20, at + 38)
  return bytes
}

describe('an archive', () => {
  it('of several sets is gone through from the one behind those that are done, each whole and once [P75]', async () => {
    const place = placeOf(three)
    const all = ['scans-0001', 'scans-0002', 'scans-0010'].map(listed)
    for (const done of [0, 1, 2, 3]) expect(await setsFrom(place, done)).toEqual(all.slice(done))
    const { sets, objects, files } = await checkArchive(place, 2 ** 20)
    expect([sets, objects]).toEqual([['scans-0001', 'scans-0002', 'scans-0010'], 6])
    expect([...files.keys()]).toEqual(sets.map((set) => `${set}/SHA256SUMS`))
  })

  it('that a program of Windows packed anew, with its folders, is the same one [P75]', async () => {
    const { files, sets, objects } = await checkArchive(placeOf(packedByWindows()), 2 ** 20)
    expect([[...files.keys()], sets, objects]).toEqual([['scans-0001/SHA256SUMS', 'people.json'], ['scans-0001'], 1])
    expect(await readText(files.get('people.json'), 2)).toBe('[]')
    expect([await readText(files.get('people.json'), 1), await readText(undefined, 1)]).toEqual([undefined, undefined])
  })

  it('is not its own fault where the disk or the key fails, and is where it contradicts itself [P75]', async () => {
    const failing = (cause: Error): ArchivePlace => ({
      size: three.length,
      open: () =>
        new Readable({
          read() {
            this.destroy(cause)
          },
        }),
    })
    const disk = Object.assign(new Error('i/o'), { code: 'EIO' })
    const key = Object.assign(new Error('locked'), { fault: 'LOCKED' })
    for (const cause of [disk, key]) await expect(checkArchive(failing(cause), 2 ** 20)).rejects.toBe(cause)
    for (const bad of [failing(new Error('bad')), placeOf(three.subarray(0, -5)), placeOf(text('letter'))]) {
      const fault: unknown = await checkArchive(bad, 2 ** 20).catch((cause: unknown) => cause)
      expect([fault instanceof ArchiveFault, fault]).toEqual([true, expect.objectContaining({ reason: 'Unreadable' })])
    }
  })

  it('may come to just as much as may be unpacked [P18, P75]', async () => {
    const place = placeOf(three)
    const { bytes } = await checkArchive(place, 2 ** 20)
    expect((await checkArchive(place, bytes)).bytes).toBe(bytes)
    await expect(checkArchive(place, bytes - 1)).rejects.toMatchObject({ reason: 'Unsafe' })
  })
})
