import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Journals, toAccountName } from './Journals.ts'

let folder: string
let journals: Journals
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-journals-'))
  journals = new Journals(folder)
})
afterEach(() => rmSync(folder, { recursive: true }))

const [here, there] = [new URL('https://dmp.north.example'), new URL('https://dmp.south.example')]

describe('the journal of an account', () => {
  it('is its own where nobody told its organization, and stays where that is renamed', () => {
    expect(journals.choose('a', here, undefined)).toBe('a')
    expect(journals.choose('a', here, 'North')).toBe('a')
    expect(journals.choose('a', here, 'North')).toBe('a')
    expect(journals.choose('a', here, 'North Clinic')).toBe('a')
    expect(journals.choose('a', here, undefined)).toBe('a')
    // The next account went on with that journal, and goes on with it under yet another name.
    expect(journals.choose('b', here, 'North Clinic')).toBe('a')
    expect(journals.choose('b', here, 'North Hospital')).toBe('a')
    const entries = JSON.parse(readFileSync(path.join(folder, 'journals.json'), 'utf8')) as { account: string }[]
    expect(entries.map(({ account }) => account)).toEqual(['a', 'b'])
  })

  it('is that of the last account of the same organization at the same server, and of no other', () => {
    journals.choose('a', here, 'North')
    expect(journals.choose('b', here, 'North')).toBe('a')
    expect(journals.choose('c', here, 'North')).toBe('a')
    expect(journals.choose('c', here, undefined)).toBe('a')
    expect(journals.choose('d', there, 'North')).toBe('d')
    expect(journals.choose('e', here, 'South')).toBe('e')
    expect(journals.choose('f', here, 'South')).toBe('e')
  })

  it('is the one that it has begun, whoever else has sent to its organization', () => {
    journals.choose('a', here, 'North')
    writeFileSync(path.join(folder, 'b.jsonl'), '')
    expect(journals.choose('b', here, 'North')).toBe('b')
  })

  it('is its own where nobody can read whose they were', () => {
    journals.choose('a', here, 'North')
    writeFileSync(path.join(folder, 'journals.json'), '{"cut off')
    expect(journals.choose('b', here, 'North')).toBe('b')
  })
})

describe('a machine that was of another organization', () => {
  it.each([
    ['of the same at the same server', 'North', here, undefined],
    ['of another one', 'South', here, { from: 'North', to: 'South' }],
    [
      'of one of the same name at another server',
      'North',
      there,
      { from: 'North (dmp.north.example)', to: 'North (dmp.south.example)' },
    ],
    ['of another one at another server', 'South', there, { from: 'North', to: 'South' }],
  ])('is none where it is %s, and is told where it is another one', (_what, organization, server, other) => {
    expect(journals.findOther(server, organization)).toBeUndefined()
    journals.choose('a', here, 'North')
    expect(journals.findOther(server, organization)).toEqual(other)
    expect(journals.findQuestion('b', server, organization)).toEqual(other)
    // Nobody told it, or it has sent before: nothing is asked.
    expect(journals.findQuestion('b', server, undefined)).toBeUndefined()
    expect(journals.findQuestion('a', server, organization)).toBeUndefined()
  })

  it('asks until somebody has answered, also after a restart, and then goes on with its own journal', () => {
    journals.choose('a', here, 'North')
    journals.ask('b', here, 'South', { from: 'North', to: 'South' })
    const question = { from: 'North', to: 'South' }
    expect(new Journals(folder).findQuestion('b', here, undefined)).toEqual(question)
    // Who waits for an answer has not sent: the machine is still the first one's.
    expect(journals.findOther(here, 'North')).toBeUndefined()
    expect(journals.findQuestion('a', here, 'North')).toBeUndefined()
    new Journals(folder).answer('b', here, undefined)
    expect(journals.findQuestion('b', here, 'South')).toBeUndefined()
    expect(journals.findOther(here, 'North')).toEqual({ from: 'South', to: 'North' })
    expect(journals.choose('b', here, 'South')).toBe('b')
    expect(journals.choose('a', here, 'North')).toBe('a')
  })

  it('asks once for two tokens of one organization, and says of a question whose it was, where that is known no more', () => {
    journals.ask('b', here, 'South', { from: 'North', to: 'South' })
    journals.ask('b', here, 'West', { from: 'North', to: 'West' })
    expect(journals.findQuestion('b', here, undefined)).toEqual({ from: 'North', to: 'West' })
    journals.answer('c', here, 'West')
    expect(journals.findOther(here, 'West')).toBeUndefined()
  })
})

it('names of accounts say neither the account nor its API token, and are those of files', () => {
  const name = toAccountName(new URL('http://localhost:4000'), 'service@north.example')
  expect(name).toMatch(/^localhost_4000-[\da-f]{8}$/)
  expect(toAccountName(new URL('http://localhost:4000'), 'other@north.example')).not.toBe(name)
})
