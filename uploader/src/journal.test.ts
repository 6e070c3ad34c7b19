import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Journal } from './journal.ts'
import { Journals } from './Journals.ts'
import { takeLock } from './lock.ts'
import { Log } from './log.ts'

describe('the journal of the uploader', () => {
  let folder: string
  let place: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'uploader-journal-'))
    place = path.join(folder, 'a.jsonl')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const file = (name: string, size = 10, modifiedMs = 5) => ({ path: name, size, modifiedMs })

  it('knows after a restart what is settled [2.41, P20]', () => {
    const first = new Journal(place)
    first.note(file('/a'), 'stored')
    first.note(file('/b'), 'refused')
    first.close()
    const second = new Journal(place)
    expect([second.find(file('/a')), second.find(file('/b')), second.find(file('/c'))]).toEqual([
      'stored',
      'refused',
      undefined,
    ])
    second.close()
  })

  it('counts a file that has changed as a new one [2.41]', () => {
    const journal = new Journal(place)
    journal.note(file('/a'), 'stored')
    expect(journal.find(file('/a', 11))).toBeUndefined()
    expect(journal.find(file('/a', 10, 6))).toBeUndefined()
    journal.close()
  })

  it('drops the line that a crash cut off, and goes on behind the last whole one [2.41, P20]', () => {
    const first = new Journal(place)
    first.note(file('/ä'), 'stored')
    first.close()
    appendFileSync(place, '{"path":"/b","size":1')
    const second = new Journal(place)
    expect(second.find(file('/ä'))).toBe('stored')
    second.note(file('/c'), 'stored')
    second.close()
    expect(
      readFileSync(place, 'utf8')
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { path: string }).path),
    ).toEqual(['/ä', '/c'])
  })

  it('reads a journal that uploader 1.0 has written: nothing is sent again [2.41, P20]', () => {
    const earlier = [
      { ...file('/a'), outcome: 'sent', at: '' },
      { ...file('/b'), outcome: 'begun', place: '/api/Scan/uploads/1', at: '' },
    ]
    writeFileSync(place, earlier.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const journal = new Journal(place)
    expect([journal.find(file('/a')), journal.find(file('/b'))]).toEqual(['stored', undefined])
    expect(journal.findUploadUrl(file('/b'))).toBe('/api/Scan/uploads/1')
    journal.close()
  })

  it('lives with a damaged line [2.41, P20]', () => {
    writeFileSync(place, `garbage\n${JSON.stringify({ ...file('/a'), outcome: 'sent', at: '' })}\n`)
    const journal = new Journal(place)
    expect(journal.find(file('/a'))).toBe('stored')
    journal.close()
  })

  it('is lent to another account of the organization, and not to one of that name at another server [2.41, P20]', () => {
    const journals = new Journals(folder)
    const [server, other] = [new URL('https://one.example'), new URL('https://two.example')]
    expect(journals.choose('first', server, 'North')).toBe('first')
    expect(journals.choose('elsewhere', other, 'North')).toBe('elsewhere')
    expect(journals.choose('second', server, 'North')).toBe('first')
    expect(journals.choose('third', other, 'North')).toBe('elsewhere')
  })

  it('can be read by its owner only: paths may name patients [P23]', () => {
    new Journal(place).close()
    const log = path.join(folder, 'kept', 'a.log')
    new Log(log).keep('/ruth/1.dcm was sent')
    const state = path.join(folder, 'new', 'state')
    new Journal(path.join(state, 'a.jsonl')).close()
    takeLock(path.join(folder, 'new', 'lock', 'a.lock'))()
    for (const one of [place, log, path.dirname(log), state, path.join(folder, 'new', 'lock')])
      expect(statSync(one).mode & 0o077).toBe(0)
  })

  it('is left to whoever has begun to lock it in this instant, and taken when nothing came of that [2.41, P21]', () => {
    const lock = path.join(folder, 'a.lock')
    writeFileSync(lock, '')
    expect(() => takeLock(lock)).toThrow(
      'Another uploader has just started. Let it finish, or try again in a few seconds.',
    )
    utimesSync(lock, new Date(), new Date(Date.now() - 60_000))
    takeLock(lock)()
  })

  it('is worked with by one uploader at a time; a lock that a crash left is taken over [2.41, P21]', () => {
    const lock = path.join(folder, 'a.lock')
    writeFileSync(lock, String(process.ppid))
    expect(() => takeLock(lock)).toThrow(/Another uploader/)
    writeFileSync(lock, '4194999')
    const give = takeLock(lock)
    expect(readFileSync(lock, 'utf8').split(' ')[0]).toBe(String(process.pid))
    give()
    expect(() => statSync(lock)).toThrow()
    // Somebody has tidied up meanwhile: nothing is left to give back.
    expect(give).not.toThrow()
    // Where the system says when a process began, a number that went to another program holds nothing.
    if (process.platform === 'linux') {
      const start = readFileSync(`/proc/${process.ppid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[19]!
      writeFileSync(lock, `${process.ppid} ${start}`)
      expect(() => takeLock(lock)).toThrow(/Another uploader/)
      writeFileSync(lock, `${process.ppid} ${Number(start) - 1}`)
      takeLock(lock)()
    }
    // In a container every uploader has the same number.
    writeFileSync(lock, String(process.pid))
    expect(takeLock(lock)).not.toThrow()
  })

  it('says which folder it cannot write into, and what helps [2.41]', () => {
    expect(() => takeLock(path.join(folder, `${'x'.repeat(300)}.lock`))).toThrow(
      `${folder} cannot be written. Name another folder with --state.`,
    )
  })

  it('has a log beside it that begins anew behind five megabytes, and keeps the one before [2.41]', () => {
    const log = path.join(folder, 'a.log')
    const logs = () => readdirSync(folder).filter((name) => name.startsWith('a.log'))
    writeFileSync(log, '')
    truncateSync(log, 5 * 2 ** 20)
    new Log(log).keep('the last one')
    expect(logs()).toEqual(['a.log'])
    new Log(log).keep('the first one')
    expect([logs(), readFileSync(log, 'utf8').replace(/^\S+ /, '')]).toEqual([['a.log', 'a.log.1'], 'the first one\n'])
  })
})

describe('what the uploader shows while it works', () => {
  const { isTTY, columns } = process.stderr
  afterEach(() => {
    Object.assign(process.stderr, { isTTY, columns })
    jest.restoreAllMocks()
  })
  const shown = (width: number) => {
    Object.assign(process.stderr, { columns: width })
    const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true)
    new Log(undefined).show('x'.repeat(200))
    return write.mock.calls.map(([text]) => String(text))
  }

  it('is one line that fits, drawn only where somebody sees it [2.41]', () => {
    Object.assign(process.stderr, { isTTY: true })
    expect(shown(80)).toEqual(['x'.repeat(79)])
    jest.restoreAllMocks()
    expect(shown(5)).toEqual(['x'.repeat(20)])
    jest.restoreAllMocks()
    Object.assign(process.stderr, { isTTY: undefined })
    expect(shown(80)).toEqual([])
  })
})
