import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { businessUser, scan } from '@dmp/contract'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { StartFailure } from '../core/StartFailure.ts'
import { dicomFile, slice, text } from '../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'
import { stow } from '../testing/stow.ts'
import { exportCommand } from './exportCommand.ts'
import { hashBytes, toSums } from '../modules/organization/export/exportFormat.ts'
import { importCommand } from './importCommand.ts'
import type { OperatorLine, OperatorWork } from './operatorCommands.ts'

const root = mkdtempSync(join(tmpdir(), 'dmp-moving-'))
const north = join(root, 'north')
let server: TestServer
let admin: SignedIn
const objects = ['1.7.1.1', '1.7.1.2', '1.7.2.1', '1.7.2.2', '1.7.2.3'].map((uid) =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', uid),
      '0020000D': text('UI', '1.7'),
      '0020000E': text('UI', uid.slice(0, 5)),
    }),
  }),
)
const never = new AbortController().signal

beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  await stow(server, admin, objects)
  const organizationId = await server.organizationOf(admin)
  await admin.call(scan.share, {
    organizationId,
    seriesUID: '1.7.1',
    expireInDay: 1,
  })
})
afterAll(async () => {
  await server.close()
  rmSync(root, { recursive: true, force: true })
})

/** What the command says, or the sentence that refuses it. */
async function run(
  work: OperatorWork,
  folder: string,
  organization: string,
  on = server,
  signal = never,
): Promise<string> {
  const said: string[] = []
  const say = (line: OperatorLine): void => void ('text' in line && said.push(line.text))
  try {
    await work(on.deps, { folder, organization }, say, signal)
  } catch (cause) {
    if (!(cause instanceof StartFailure)) throw cause
    return `refused: ${cause.sentences.join(' ')}`
  }
  return said.join('\n')
}
const isRight = (folder: string): string =>
  execFileSync('sha256sum', ['--quiet', '-c', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' })
const read = (folder: string, name: string) =>
  JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>[]
/** As whoever alters a file would, who can count. */
function alterPeople(folder: string, alter: (people: Record<string, unknown>[]) => unknown): void {
  const rows = alter(read(folder, 'people.json')) as object[]
  const changed = `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`
  writeFileSync(join(folder, 'people.json'), changed)
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').replace(
    /^.*people\.json\n/m,
    toSums([['people.json', hashBytes(changed)]]),
  )
  writeFileSync(join(folder, 'SHA256SUMS'), sums)
}
const copyOf = (name: string): string => {
  const folder = join(root, name)
  execFileSync('cp', ['-r', north, folder])
  return folder
}

describe('an organization in a folder', () => {
  it('has all of its scans as DICOM media, and the rest as JSON, with hashes that anybody can check [P61]', async () => {
    const said = await run(exportCommand, north, 'north-clinic')
    expect(said).toContain('5 objects in 1 folders')
    expect([isRight(north), isRight(join(north, 'scans-0001'))]).toEqual(['', ''])
    const files = readdirSync(join(north, 'scans-0001', 'DICOM', 'D00000')).map((name) =>
      readFileSync(join(north, 'scans-0001', 'DICOM', 'D00000', name)),
    )
    expect(files.map(hashBytes).sort()).toEqual(objects.map(hashBytes).sort())
    expect(readFileSync(join(north, 'scans-0001', 'DICOMDIR')).toString('latin1')).toContain('DICOM\\D00000\\I0000004')
    const people = read(north, 'people.json')
    expect(people.map(({ email }) => email)).toContain('admin@north.example')
    expect(people.some(({ email }) => String(email).endsWith('@south.example'))).toBe(false)
    expect(read(north, 'links.json')).toEqual([expect.objectContaining({ seriesUIDs: ['1.7.1'], uses: 0 })])
    expect(read(north, 'complaints.json').length).toBeGreaterThan(0)
    expect(read(north, 'audit.json').map(({ event }) => event)).toEqual(
      expect.arrayContaining(['ScansUploaded', 'OrganizationExported']),
    )
    expect(readFileSync(join(north, 'schema.json'), 'utf8')).toContain('"complaints"')
    // The server's own: nobody else of the machine reads it.
    expect(statSync(join(north, 'people.json')).mode & 0o077).toBe(0)
  })

  it('holds nothing that opens an account or a link, and nothing of others [P02, P23, P61]', async () => {
    const all = ['people', 'links', 'complaints', 'audit']
      .map((name) => readFileSync(join(north, `${name}.json`), 'utf8'))
      .join('')
    const secrets = [
      ...(await server.deps.db.selectFrom('users').select('password_hash as secret').execute()),
      ...(await server.deps.db.selectFrom('scan_shares').select('token_hash as secret').execute()),
    ]
    for (const { secret } of secrets) if (secret !== null) expect(all).not.toContain(secret)
    expect(all).not.toContain(southClinic.id)
  })

  it('is gone on with after a kill, keeps what is right and mends what is not [P20, P61]', async () => {
    const files = join(north, 'scans-0001', 'DICOM', 'D00000')
    writeFileSync(join(files, 'I0000001'), 'cut off')
    unlinkSync(join(files, 'I0000003'))
    unlinkSync(join(north, 'scans-0001', 'SHA256SUMS'))
    writeFileSync(join(files, 'I0000002.part'), 'half')
    writeFileSync(join(files, 'I0000009'), 'of a scan that was deleted since')
    expect(await run(exportCommand, north, 'North-Clinic')).toContain(
      '5 objects in 1 folders, 0.0 MB\n  3 were there already',
    )
    expect([isRight(north), isRight(join(north, 'scans-0001'))]).toEqual(['', ''])
    expect(readdirSync(files)).toHaveLength(objects.length)
    const stopping = new AbortController()
    stopping.abort()
    await expect(run(exportCommand, join(root, 'stopped'), 'North-Clinic', server, stopping.signal)).rejects.toThrow()
    expect(await run(exportCommand, join(root, 'stopped'), 'North-Clinic')).toContain('5 objects')
  })

  it('is written for one at a time, and over nothing that is somebody else’s [P18, P61]', async () => {
    const both = await Promise.all(['a', 'b'].map((name) => run(exportCommand, join(root, name), 'North-Clinic')))
    expect(
      both.filter((said) => said.startsWith('refused: An export or import of North-Clinic is under way.')),
    ).toHaveLength(1)
    mkdirSync(join(root, 'letters'))
    writeFileSync(join(root, 'letters', 'letter.txt'), 'Dear')
    expect(await run(exportCommand, join(root, 'letters'), 'North-Clinic')).toContain(
      'is not empty, and holds no export of North-Clinic',
    )
    expect(await run(exportCommand, north, 'South-Clinic')).toContain(
      'is not empty, and holds no export of South-Clinic',
    )
    expect(await run(exportCommand, join(root, 'c'), 'Nobody')).toContain(
      'No organization is called Nobody. Choose one of:',
    )
    expect(await run(exportCommand, join(root, 'letters', 'letter.txt'), 'North-Clinic')).toContain('cannot be written')
  })
})

describe('taking it in', () => {
  it('gives another organization the scans and records, once, and says what was there [P12, P61]', async () => {
    const before = await server.deps.db
      .selectFrom('audit')
      .select('event')
      .where('chain', '=', southClinic.id)
      .execute()
    const said = await run(importCommand, north, 'South-Clinic')
    expect(said).toMatch(/5 stored, in 2 series\n {2}0 were already stored\n {2}0 refused/)
    // One address is one person in an installation.
    expect(said).toMatch(
      /people: 0 taken in, 0 were there already, [1-9]\d* refused\n {4}\S+: This email is already in use\./,
    )
    expect(said).toMatch(/links: 1 taken in, 0 were there already/)
    const again = await run(importCommand, north, 'South-Clinic')
    expect(again).toMatch(/0 stored, in 2 series\n {2}5 were already stored/)
    expect(again).toMatch(/audit: 0 taken in, [1-9]\d* were there already, 0 refused/)
    // Of what happened there nothing became part of what happened here.
    const after = await server.deps.db.selectFrom('audit').select('event').where('chain', '=', southClinic.id).execute()
    expect(new Set(after.slice(before.length).map(({ event }) => event))).toEqual(
      new Set(['ScansUploaded', 'OrganizationImported']),
    )
    expect(
      await server.deps.db
        .selectFrom('scan_shares')
        .select('id')
        .where('organization_id', '=', southClinic.id)
        .execute(),
    ).toEqual([])
  })

  it('makes nobody more than a customer’s person who cannot sign in yet [P03, P61]', async () => {
    const folder = copyOf('people')
    alterPeople(folder, ([first]) => [
      { ...first, email: 'new.admin@elsewhere.example', role: 'admin', status: 'Activated' },
      { ...first, email: 'root@elsewhere.example', role: 'super_admin' },
      { ...first, email: 'SUPER@dmp.example', role: 'staff' },
      { ...first, email: 'admin@south.example', role: 'super_admin' },
      { ...first, email: 'not an address', role: 'staff' },
    ])
    const said = await run(importCommand, folder, 'South-Clinic')
    expect(said).toContain('people: 1 taken in, 1 were there already, 3 refused')
    expect(said).toContain('root@elsewhere.example: People of a provider are added by hand.')
    const rows = await server.deps.db
      .selectFrom('users')
      .select(['email', 'role', 'status', 'password_hash'])
      .where('email', 'like', '%@elsewhere.example')
      .execute()
    expect(rows).toEqual([
      { email: 'new.admin@elsewhere.example', role: 'admin', status: 'Deactivated', password_hash: null },
    ])
    const south = await server.signIn('admin@south.example')
    const { data } = await south.call(businessUser.list, {})
    expect(data.find(({ email }) => email === 'new.admin@elsewhere.example')).toMatchObject({
      status: { status: 'Deactivated' },
    })
  })

  it('refuses what was altered, by its name, and takes the rest [P12, P61]', async () => {
    const folder = copyOf('altered')
    const files = join(folder, 'scans-0001', 'DICOM', 'D00000')
    const other = readFileSync(join(files, 'I0000000'))
    writeFileSync(join(files, 'I0000001'), other)
    unlinkSync(join(files, 'I0000002'))
    unlinkSync(join(files, 'I0000003'))
    symlinkSync('/etc/hostname', join(files, 'I0000003'))
    const said = await run(importCommand, folder, 'South-Clinic')
    expect(said).toContain('2 were already stored\n  3 refused')
    expect(said).toContain('1 × DAMAGED')
    expect(said).toContain('2 × MISSING')
    writeFileSync(join(folder, 'scans-0001', 'SHA256SUMS'), `${'0'.repeat(64)}  ../../../etc/hostname\n`)
    expect(await run(importCommand, folder, 'South-Clinic')).toContain('1 × LIST')
    writeFileSync(join(folder, 'people.json'), '[]\n')
    expect(await run(importCommand, folder, 'South-Clinic')).toContain('refused: Nothing was taken in: people.json of')
    expect(await run(importCommand, join(root, 'letters'), 'South-Clinic')).toContain('holds no whole export')
    expect(await run(importCommand, north, 'Nobody')).toContain(
      'No activated organization with a datastore is called Nobody.',
    )
  })

  it('goes into an installation that knows nothing of it, and out of that again [P61]', async () => {
    const elsewhere = await startServer()
    try {
      await elsewhere.deps.db
        .updateTable('users')
        .set({ email: 'moved@north.example' })
        .where('email', '=', 'staff@north.example')
        .execute()
      expect(await run(importCommand, north, 'North-Clinic', elsewhere)).toContain('people: 1 taken in')
      const back = join(root, 'back')
      expect(await run(exportCommand, back, 'North-Clinic', elsewhere)).toContain('5 objects in 1 folders')
      const imported = read(back, 'imported.json')
      expect(imported).toHaveLength(
        ['complaints', 'links', 'audit'].reduce((sum, kind) => sum + read(north, `${kind}.json`).length, 0),
      )
      expect(imported[0]).toMatchObject({ id: expect.stringContaining(northClinic.id) as string })
      expect(await run(importCommand, back, 'North-Clinic')).toMatch(
        /imported: [1-9]\d* taken in, \d+ were there already, 0 refused/,
      )
    } finally {
      await elsewhere.close()
    }
  })
})
