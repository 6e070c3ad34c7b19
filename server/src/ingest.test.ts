import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from './db/client.ts'
import { migrate } from './db/migrate.ts'
import { dicomFile, slice, text } from './dicom/testing/dicomFile.ts'
import { startChild, type Ended } from './testing/childServer.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-ingest-'))
const scans = join(folder, 'scans')
const dataDir = join(folder, 'data')
const ingest = (...words: string[]): Promise<Ended> =>
  startChild({ DMP_DEMO: '1', DMP_DATA_DIR: dataDir }, 'ingest.ts', words).ended

beforeAll(async () => {
  mkdirSync(join(scans, 'deeper'), { recursive: true })
  const object = dicomFile({
    elements: slice({
      '00080018': text('UI', '1.2.3.4'),
      '0020000D': text('UI', '1.2.3'),
      '0020000E': text('UI', '1.2.3.1'),
    }),
  })
  writeFileSync(join(scans, 'one.dcm'), object)
  writeFileSync(join(scans, 'deeper', 'again.dcm'), object)
  for (const n of [1, 2, 3, 4]) writeFileSync(join(scans, `letter ${n}.txt`), 'no image')
  writeFileSync(join(scans, '.hidden'), 'no image')
  const { db, close } = await openDatabase({ kind: 'folder', folder: dataDir })
  await migrate(db)
  await db
    .insertInto('organizations')
    .values([
      { name: 'North-Clinic', status_by: 'System', datastore_id: 'n'.repeat(32) },
      { name: 'South-Clinic', status_by: 'System', datastore_id: 's'.repeat(32), status: 'Deactivated' },
    ])
    .execute()
  await close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('reading a folder', () => {
  it('takes in what is DICOM, once, for the organization that may have it, and says what it refused [P12]', async () => {
    const { code, out } = await ingest(scans)
    expect(code).toBe(0)
    expect(out).toContain(`Reading ${scans} into North-Clinic\n`)
    expect(out).toMatch(
      /6 files, .+\n  1 stored, in 1 series\n  1 were already stored\n  4 refused\n    4 × NOT_DICOM: .+\n(?: {8}letter \d\.txt\n){3}(?! {8})/,
    )
  })

  it('says how far it is at every tenth of the way, and how long it took [P12]', async () => {
    const many = join(folder, 'many')
    mkdirSync(many)
    for (let n = 0; n < 40; n += 1) writeFileSync(join(many, `letter ${n}.txt`), 'no image')
    const began = Date.now()
    const { out } = await ingest(many)
    const lines = out.split('\n').filter((line) => line.startsWith('['))
    expect(
      lines.map((line) =>
        /^\[(?=.{30}\])(#*) *\] (\d+)\/40 files, \d+\.\d MB\/s$/
          .exec(line)
          ?.slice(1)
          .map((part) => Number(part) || part.length),
      ),
    ).toEqual(Array.from({ length: 10 }, (_, tenth) => [(tenth + 1) * 3, (tenth + 1) * 4]))
    // No more than the whole program took.
    expect(Number(/40 files, .* in ([\d.]+) s/.exec(out)?.[1]) * 1000).toBeLessThanOrEqual(Date.now() - began + 100)
  })

  it('takes nothing in for a deactivated organization, and names those that there are [1.05]', async () => {
    const { code, errors } = await ingest(scans, '--organization', 'south-clinic')
    expect([code, errors]).toEqual([
      1,
      'No activated organization with a datastore is called south-clinic. Choose one of: North-Clinic.\n',
    ])
  })

  it('fails where an image is missing afterwards, and takes in all others [P12]', async () => {
    const partly = join(folder, 'partly')
    mkdirSync(partly)
    const whole = dicomFile({ elements: slice({ '00080018': text('UI', '1.2.3.5') }) })
    writeFileSync(join(partly, 'whole.dcm'), whole)
    writeFileSync(join(partly, 'cut.dcm'), whole.subarray(0, -9))
    const { code, out, errors } = await ingest(partly)
    expect([code, errors]).toEqual([1, 'One image was refused, for the reasons above. All others are stored.\n'])
    expect(out).toMatch(/1 stored, in 1 series\n.*\n {2}1 refused\n {4}1 × TRUNCATED: /)
  })

  it('asks for the organization where there are several [1.05]', async () => {
    const { db, close } = await openDatabase({ kind: 'folder', folder: dataDir })
    const values = { name: 'West-Clinic', status_by: 'System', datastore_id: 'w'.repeat(32) }
    await db.insertInto('organizations').values(values).execute()
    await close()
    const { code, errors } = await ingest(scans)
    expect([code, errors]).toEqual([
      1,
      'Name the organization with --organization "…", one of: North-Clinic, West-Clinic.\n',
    ])
    expect((await ingest(scans, '--organization', 'North-Clinic')).code).toBe(0)
  })

  it('says how it is used, and which folder cannot be read', async () => {
    expect((await ingest()).errors).toContain('npm run ingest -- <folder> [--organization North-Clinic]')
    expect((await ingest(scans, 'another')).errors).toContain(
      'npm run ingest -- <folder> [--organization North-Clinic]',
    )
    const help = await ingest('--help')
    expect([help.code, help.out]).toEqual([0, expect.stringContaining('npm run ingest -- <folder>')])
    const missing = join(folder, 'nowhere')
    expect((await ingest(missing)).errors).toBe(
      `The folder ${missing} cannot be read (ENOENT). Name a folder that exists and is readable.\n`,
    )
  })
})
