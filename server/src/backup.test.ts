import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabaseUrl } from './settings/settings.ts'
import {
  BackedUpPlaces,
  bytesIn,
  countNew,
  readBack,
  runCommand,
  setsIn,
  type Variables,
} from './testing/backedUpPlaces.ts'
import { objectOf } from './testing/callsFromOutside.ts'

jest.setTimeout(600_000)

const places = new BackedUpPlaces()
afterAll(() => places.end())

const objects = [1, 2, 3, 4, 5].map((number) => objectOf('1.92', number, 8192))
const kind = testDatabaseUrl() ? 'PostgreSQL' : 'folder'
let original: Variables
beforeAll(async () => {
  original = await places.makeOriginal(kind)
})

describe(`npm run backup and npm run restore: ${kind}`, () => {
  const folder = join(places.work, `${kind} backups`)
  /** Of the demo. */
  let samples: number

  it('write while the server runs, then only what is new, and prove it in a place of its own [P87]', async () => {
    await places.whileItRuns(original, async (calls) => {
      const headers = await calls.signIn()
      expect((await calls.stow(headers, objects.slice(0, 3))).status).toBe(200)
      const first = await runCommand(original, 'backup', folder)
      expect(first).toMatchObject({ code: 0, errors: '' })
      samples = countNew(first) - 3
      expect(samples).toBeGreaterThan(0)
      expect((await calls.stow(headers, objects.slice(3))).status).toBe(200)
      expect(countNew(await runCommand(original, 'backup', folder))).toBe(2)
    })
    expect([setsIn(folder).length, bytesIn(folder).length]).toEqual([2, samples + 5])

    for (const set of setsIn(folder)) {
      const checked = await runCommand(original, 'restore', folder, '--check', '--of', set)
      expect(checked).toMatchObject({ code: 0, errors: '' })
      expect(checked.out).toMatch(new RegExp(`^Backup ${set} is good.\nOf the \\d+ newest series, [1-9]\\d* were`))
    }
    expect(globSync(join(tmpdir(), 'dmp-restore-check-*'))).toEqual([])
    if (kind === 'PostgreSQL')
      expect(await places.ask(`select datname from pg_database where datname like 'dmp_restore_check%'`)).toEqual([])
    // Nobody but the server's account reads it.
    expect(statSync(folder).mode & 0o077).toBe(0)
  })

  it('give back what was there then: people, scans and the audit trail [P24, P87]', async () => {
    const [first = '', second = ''] = setsIn(folder)
    for (const [set, numbers] of [
      [first, [1, 2, 3]],
      [second, [1, 2, 3, 4, 5]],
    ] as const) {
      const place = await places.makeEmpty(kind, set)
      const restored = await runCommand(place, 'restore', folder, '--of', set)
      expect(restored).toMatchObject({ code: 0, errors: '' })
      expect(await runCommand(place, 'fsck')).toMatchObject({ code: 0, out: 'Everything is in order.\n' })
      await places.whileItRuns(place, async (calls) => {
        expect(await readBack(calls)).toEqual(numbers)
        expect((await calls.stow(await calls.signIn(), [objectOf('1.93', 1)])).status).toBe(200)
      })
      const again = await runCommand(place, 'restore', folder)
      expect([again.code, again.errors]).toEqual([1, expect.stringContaining('already. Nothing was changed.')])
    }
  })

  it('say what of a backup is lost or changed, and restore none that is not what was written [P87]', async () => {
    const [lost = '', changed = ''] = bytesIn(folder)
    const kept = [readFileSync(join(folder, lost)), readFileSync(join(folder, changed))] as const
    rmSync(join(folder, lost))
    const flipped = Buffer.from(kept[1])
    flipped[flipped.length - 20] = (flipped.at(-20) ?? 0) ^ 1
    writeFileSync(join(folder, changed), flipped)
    const checked = await runCommand(original, 'restore', folder, '--check', '--json')
    const { problems } = JSON.parse(checked.out) as { problems: { kind: string; what: string }[] }
    expect(checked.code).toBe(2)
    expect(problems.map(({ kind: what }) => what).toSorted()).toEqual(['damaged', 'missing'])
    const place = await places.makeEmpty(kind, 'half')
    const refused = await runCommand(place, 'restore', folder)
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('is not in the backup')])
    // The next backup fills the gap, and what is restored from it is whole.
    rmSync(join(folder, changed))
    expect(countNew(await runCommand(original, 'backup', folder))).toBe(2)
    expect((await runCommand(original, 'restore', folder, '--check')).code).toBe(0)

    const newest = setsIn(folder).at(-1) ?? ''
    const [file = ''] = globSync(['database.dump', 'database/base/*/*'], { cwd: join(folder, newest) })
    const whole = readFileSync(join(folder, newest, file))
    writeFileSync(join(folder, newest, file), Buffer.concat([whole, Buffer.from('x')]))
    const other = await runCommand(await places.makeEmpty(kind, 'altered'), 'restore', folder)
    expect([other.code, other.errors]).toEqual([1, expect.stringContaining(`is not what was written: ${file}`)])
    writeFileSync(join(folder, newest, file), whole)
  })

  it('keep as many as they are told, and no bytes that only older ones named [P23, P87]', async () => {
    const [oldest = ''] = setsIn(folder)
    // A scan that was deleted for good between the two.
    mkdirSync(join(folder, 'objects/scans/gone'), { recursive: true })
    writeFileSync(join(folder, 'objects/scans/gone/1.2~3'), 'of a patient')
    const list = join(folder, oldest, 'objects.txt')
    writeFileSync(list, `${readFileSync(list, 'utf8')}scans/gone/1.2~3\n`)
    // One that was broken off is none.
    cpSync(join(folder, oldest), join(folder, `${oldest}.part`), { recursive: true })
    const before = bytesIn(folder)
    expect((await runCommand(original, 'backup', folder, '--keep', '2')).code).toBe(0)
    expect(setsIn(folder).length).toBe(2)
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
    expect(bytesIn(folder)).toEqual(before.filter((path) => !path.includes('gone')))
    expect((await runCommand(original, 'restore', folder, '--check')).code).toBe(0)
  })
})

describe('npm run backup', () => {
  it.each([
    ['in the data folder', join(places.work, kind, 'original/backups'), 'would lie in the data folder'],
    ['around the data folder', join(places.work, kind), 'would lie in the data folder'],
    ['with other things', join(places.work, 'mixed'), 'also holds other things, such as letter.txt'],
  ])('writes nothing to a folder %s', async (_, folder, sentence) => {
    mkdirSync(join(places.work, 'mixed'), { recursive: true })
    writeFileSync(join(places.work, 'mixed/letter.txt'), 'dear')
    const { code, errors } = await runCommand(original, 'backup', folder)
    expect([code, errors]).toEqual([1, expect.stringContaining(sentence)])
    expect(readdirSync(join(places.work, 'mixed'))).toEqual(['letter.txt'])
  })

  it('copies bytes alone where the database has backups of its own, and gives them back', async () => {
    const folder = join(places.work, 'bytes')
    const written = await runCommand(original, 'backup', folder, '--without-database')
    expect([written.code, countNew(written)]).toEqual([0, bytesIn(original.DMP_DATA_DIR ?? '').length])
    const place = await places.makeEmpty(kind, 'bytes alone')
    const refused = await runCommand(place, 'restore', folder)
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('holds no database')])
    expect(await runCommand(place, 'restore', folder, '--objects')).toMatchObject({ code: 0 })
    expect(bytesIn(place.DMP_DATA_DIR ?? '')).toEqual(bytesIn(folder))
  })

  it('says where there is none to restore', async () => {
    const { code, errors } = await runCommand(original, 'restore', join(places.work, 'nowhere'))
    expect([code, errors]).toEqual([1, expect.stringContaining('There is no folder')])
  })
})
