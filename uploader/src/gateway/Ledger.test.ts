import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Ledger } from './Ledger.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-ledger-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const dayMs = 86_400_000
const noon = Date.parse('2026-11-26T12:00:00Z')
const write = (day: string, lines: readonly string[]) =>
  writeFileSync(path.join(folder, `stored-${day}.txt`), `${lines.join('\n')}\n`)

describe('what the server has, for devices that ask', () => {
  it('is known for a week, over restarts, and days before are forgotten [P71]', () => {
    write('2026-11-18', ['1.8 1.2.3 .'])
    write('2026-11-19', ['1.7 1.2.3 .'])
    write('2026-11-26', ['1.0 1.2.3 .'])
    writeFileSync(path.join(folder, 'other.txt'), '1.9 1.2.3 .\n')
    const ledger = new Ledger(folder, () => noon)
    expect(['1.8', '1.7', '1.0', '1.9'].map((uid) => ledger.find(uid))).toEqual([
      undefined,
      '1.2.3',
      '1.2.3',
      undefined,
    ])
    expect(readdirSync(folder).sort()).toEqual(['other.txt', 'stored-2026-11-19.txt', 'stored-2026-11-26.txt'])
  })

  it('is written down by the day, and the oldest day goes as another one begins [P71]', () => {
    let now = noon - 7 * dayMs
    const ledger = new Ledger(folder, () => now)
    const note = (uid: string) => ledger.note({ sopInstanceUID: uid, sopClassUID: '1.2.3' })
    note('1.1')
    now = noon
    note('1.2')
    expect(readdirSync(folder).sort()).toEqual(['stored-2026-11-19.txt', 'stored-2026-11-26.txt'])
    now += dayMs
    note('1.3')
    expect(readdirSync(folder).sort()).toEqual(['stored-2026-11-26.txt', 'stored-2026-11-27.txt'])
    expect(new Ledger(folder, () => now).find('1.2')).toBe('1.2.3')
  })

  it('is nothing that a crash cut off, and the last that was said of an object [P71]', () => {
    write('2026-11-25', ['1.1 1.2.3 .', '1.2 1.2.3', '1.3', '', '1.4 1.2.84', '1.5  .', '1.6 1.2.3 .x'])
    write('2026-11-26', ['1.1 1.2.4 .'])
    const ledger = new Ledger(folder, () => noon)
    expect(['1.1', '1.2', '1.3', '1.4', '1.5', '1.6'].map((uid) => ledger.find(uid))).toEqual([
      '1.2.4',
      ...Array.from({ length: 5 }, () => undefined),
    ])
  })

  it('is half a million objects at most: the oldest is forgotten first [P71]', () => {
    write(
      '2026-11-26',
      Array.from({ length: 500_000 }, (_, at) => `1.${at} 1.2.3 .`),
    )
    const ledger = new Ledger(folder, () => noon)
    expect([ledger.find('1.0'), ledger.find('1.499999')]).toEqual(['1.2.3', '1.2.3'])
    ledger.note({ sopInstanceUID: '2.1', sopClassUID: '1.2.3' })
    expect([ledger.find('1.0'), ledger.find('1.1'), ledger.find('2.1')]).toEqual([undefined, '1.2.3', '1.2.3'])
  })
})
