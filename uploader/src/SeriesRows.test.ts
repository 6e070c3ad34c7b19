import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
