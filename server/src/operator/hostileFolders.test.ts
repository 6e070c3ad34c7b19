import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartFailure } from '../core/StartFailure.ts'
import { dicomFile, slice, text } from '../dicom/testing/dicomFile.ts'
import { startServer, type TestServer } from '../testing/server.ts'
import { stow } from '../testing/stow.ts'
import { exportCommand } from './exportCommand.ts'
import { hashBytes, toSums } from '../modules/organization/export/exportFormat.ts'
import { toOneLine } from './hearOnTerminal.ts'
import { importCommand } from './importCommand.ts'
import type { OperatorLine, OperatorWork } from './operatorCommands.ts'

const root = mkdtempSync(join(tmpdir(), 'dmp-hostile-'))
const made = join(root, 'made')
let server: TestServer

beforeAll(async () => {
  server = await startServer()
  const elements = slice({
    '00080018': text('UI', '1.8.1.1'),
    '0020000D': text('UI', '1.8'),
    '0020000E': text('UI', '1.8.1'),
  })
  await stow(server, await server.signIn('admin'), [dicomFile({ elements })])
  expect(await run(exportCommand, made, 'North-Clinic')).toContain('1 objects')
})
afterAll(async () => {
  await server.close()
  rmSync(root, { recursive: true, force: true })
})

async function run(work: OperatorWork, folder: string, organization: string): Promise<string> {
  const said: string[] = []
  const say = (line: OperatorLine): void => void ('text' in line && said.push(line.text))
  try {
    await work(server.deps, { folder, organization }, say, new AbortController().signal)
  } catch (cause) {
    if (!(cause instanceof StartFailure)) throw cause
    return `refused: ${cause.sentences.join(' ')}`
  }
  return said.join('\n')
}
const copyOf = (name: string): string => {
  execFileSync('cp', ['-r', made, join(root, name)])
  return join(root, name)
}
/** As whoever alters a file would, who can count. */
function write(folder: string, name: string, content: string): void {
  writeFileSync(join(folder, name), content)
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').split('\n')
  const kept = sums.filter((line) => line !== '' && !line.endsWith(`  ${name}`)).join('\n')
  writeFileSync(join(folder, 'SHA256SUMS'), `${kept}\n${toSums([[name, hashBytes(content)]])}`)
}

describe('a folder that somebody prepared for an export', () => {
  it('has nothing written or removed where its links lead [P22, P61]', async () => {
    const precious = join(root, 'precious')
    mkdirSync(precious)
    writeFileSync(join(precious, 'database'), 'of the server')
    const asSet = copyOf('asSet')
    rmSync(join(asSet, 'scans-0001'), { recursive: true })
    symlinkSync(precious, join(asSet, 'scans-0001'))
    expect(await run(exportCommand, asSet, 'North-Clinic')).toMatch(/^refused: In .+ is a link: .+scans-0001/)
    const asHalf = copyOf('asHalf')
    symlinkSync(join(precious, 'database'), join(asHalf, 'people.json.part'))
    expect(await run(exportCommand, asHalf, 'North-Clinic')).toMatch(/^refused: .+ is a link: .+people\.json\.part/)
    expect(readFileSync(join(precious, 'database'), 'utf8')).toBe('of the server')
  })

  it('is not used while other accounts can change it [P22, P61]', async () => {
    const open = join(root, 'open')
    mkdirSync(open)
    chmodSync(open, 0o777)
    expect(await run(exportCommand, open, 'North-Clinic')).toMatch(/^refused: Other accounts of this machine can/)
    chmodSync(open, 0o700)
    expect(await run(exportCommand, open, 'North-Clinic')).toContain('1 objects')
  })
})

describe('a folder that somebody made to be taken in', () => {
  it('leads to nothing outside of it, and holds nobody up [P12, P18, P61]', async () => {
    const pipe = copyOf('pipe')
    unlinkSync(join(pipe, 'export.json'))
    execFileSync('mkfifo', [join(pipe, 'export.json')])
    expect(await run(importCommand, pipe, 'South-Clinic')).toMatch(/^refused: .+ holds no whole export/)
    const endless = copyOf('endless')
    unlinkSync(join(endless, 'audit.json'))
    symlinkSync('/dev/zero', join(endless, 'audit.json'))
    expect(await run(importCommand, endless, 'South-Clinic')).toMatch(/^refused: Nothing was taken in: audit\.json/)
    const long = copyOf('long')
    const head = readFileSync(join(long, 'export.json'), 'utf8')
    write(long, 'export.json', head + ' '.repeat(100_000))
    expect(await run(importCommand, long, 'South-Clinic')).toMatch(/^refused: .+ holds no whole export/)
    const elsewhere = copyOf('elsewhere')
    const files = join(elsewhere, 'scans-0001', 'DICOM', 'D00000')
    renameSync(files, join(root, 'moved'))
    symlinkSync(join(root, 'moved'), files)
    expect(await run(importCommand, elsewhere, 'South-Clinic')).toContain('1 × MISSING')
  })

  it('has its rows judged one by one, however they are made [P18, P61]', async () => {
    const folder = copyOf('rows')
    const [row] = JSON.parse(readFileSync(join(folder, 'people.json'), 'utf8')) as Record<string, unknown>[]
    const toRow = (change: object) => JSON.stringify({ ...row, ...change })
    const rows = [
      toRow({ email: 'kept@elsewhere.example', role: 'staff' }),
      toRow({ email: 'long@elsewhere.example', role: 'staff', mobile: '1'.repeat(17_000_000) }),
      toRow({ email: 'phone@elsewhere.example', role: 'staff', mobile: '1'.repeat(1000) }),
      '['.repeat(100_000),
      `{"x":[${'{},'.repeat(250_000)}{}]}`,
    ]
    write(folder, 'people.json', `[\n${rows.join(',\n')}\n]\n`)
    const said = await run(importCommand, folder, 'South-Clinic')
    expect(said).toContain('people: 1 taken in, 0 were there already, 4 refused')
  })

  it('has no row that the database refuses: it alone is left out [P61]', async () => {
    const folder = copyOf('texts')
    const [person] = JSON.parse(readFileSync(join(folder, 'people.json'), 'utf8')) as object[]
    const [event] = JSON.parse(readFileSync(join(folder, 'audit.json'), 'utf8')) as object[]
    const people = ['A\0B', 'A\ud800', 'Anna'].map((firstName, n) => ({
      ...person,
      firstName,
      email: `t${n}@x.example`,
    }))
    const subjects = [{ x: 'a\0' }, { 'a\0': 1 }, { x: ['\udc00'] }, { x: '\\u0000' }]
    const events = subjects.map((subject, n) => ({ ...event, id: `text ${n}`, subject }))
    write(
      folder,
      'people.json',
      JSON.stringify(people.map((row) => ({ ...row, role: 'staff' })))
        .replaceAll('},{', '},\n{')
        .slice(1, -1),
    )
    write(folder, 'audit.json', `[\n${events.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`)
    const said = await run(importCommand, folder, 'South-Clinic')
    expect(said).toContain('people: 1 taken in, 0 were there already, 2 refused')
    expect(said).toContain('audit: 1 taken in, 0 were there already, 3 refused')
  })

  it('is left at once when the command ends, however many rows are refused [P61]', async () => {
    const folder = copyOf('refused')
    write(folder, 'audit.json', '{}\n'.repeat(100_000))
    const stop = new AbortController()
    const say = (line: OperatorLine): void => {
      if ('text' in line && line.text.startsWith('links:')) stop.abort(new Error('stopped'))
    }
    const work = importCommand(server.deps, { folder, organization: 'South-Clinic' }, say, stop.signal)
    await expect(work).rejects.toThrow('stopped')
  })

  it('says nothing to the terminal but letters [P61]', () => {
    expect(toOneLine('Clinic\u001b[2J\r\nAll was taken in\u202e')).toBe('Clinic�[2J��All was taken in�')
    expect(toOneLine('Clínica Ñandú 東')).toBe('Clínica Ñandú 東')
  })
})
