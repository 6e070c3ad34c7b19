import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { part10Start } from '@dmp/dimse/elementWriter'
import { ctClass, sliceBytes } from './gateway/deviceInTests.ts'
import { SeriesRows } from './SeriesRows.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-rows-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const head = { sopClassUID: ctClass, sopInstanceUID: '1.2.77.1.1', transferSyntaxUID: '1.2.840.10008.1.2.1' }
const put = (name: string, at: number) => {
  const content = Buffer.concat([part10Start(head), sliceBytes(at)])
  writeFileSync(path.join(folder, name), content)
  return { path: path.join(folder, name), size: content.length, modifiedMs: at }
}

it('has two hundred rows: one that is through makes room first, else the oldest [P56]', async () => {
  const series = (at: number) => {
    const place = path.join(folder, String(at))
    mkdirSync(place)
    // Without patient and study at its beginning a file is told by its folder.
    const content = Buffer.concat([Buffer.alloc(128), Buffer.from('DICM')])
    writeFileSync(path.join(place, 'a.dcm'), content)
    return { path: path.join(place, 'a.dcm'), size: content.length, modifiedMs: at }
  }
  const rows = new SeriesRows()
  const files = Array.from({ length: 203 }, (_, at) => series(at))
  const names = () => rows.rows.map(({ name }) => Number(name))
  for (const file of files.slice(0, 199)) await rows.found(file)
  rows.settled(files[5]!, 'stored')
  await rows.found(files[199]!)
  expect(names()).toHaveLength(200)
  await rows.found(files[200]!)
  expect([names().length, names().includes(5), names().includes(0)]).toEqual([200, false, true])
  await rows.found(files[201]!)
  expect([names().length, names().includes(0), names()[0]]).toEqual([200, false, 201])
})

it('has none of a file that is gone, or no DICOM file [P56]', async () => {
  const rows = new SeriesRows()
  writeFileSync(path.join(folder, 'none'), 'no DICOM file')
  for (const name of ['gone', 'none']) {
    const file = { path: path.join(folder, name), size: 1, modifiedMs: 1 }
    await rows.found(file)
    await rows.know(file)
    rows.settled(file, 'not-dicom')
    expect([rows.rows, rows.find(file.path)]).toEqual([[], undefined])
  }
})

it('says of no file that it waits for another try once it is gone at the next look [P56]', async () => {
  const files = [put('1.dcm', 1), put('2.dcm', 2)]
  const rows = new SeriesRows()
  const look = async (found: typeof files) => {
    rows.begin()
    for (const file of found) await rows.found(file)
  }
  await look(files)
  for (const file of files) rows.putOff(file)
  expect(rows.rows).toMatchObject([{ waiting: 2, failed: 2 }])
  await look(files.slice(1))
  expect(rows.rows).toMatchObject([{ waiting: 1, failed: 0 }])
})
