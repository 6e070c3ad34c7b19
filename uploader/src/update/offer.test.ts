import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { toPublic } from '../../signingKey.ts'
import { Stop } from '../stop.ts'
import { version } from '../version.ts'
import { fetchUpdate, findOffer, toTooOld } from './offer.ts'
import { Programs } from './programs.ts'
import { isProgramOf, readStatement, signProgram, type Statement } from './statement.ts'

const { privateKey: key } = generateKeyPairSync('ed25519')
const keys = [toPublic(key)]
const server = new URL('https://dmp.test')
const program = Buffer.from('a program')
let folder: string
let programs: Programs
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-offer-'))
  programs = new Programs(folder, '1.0.0', keys)
})
afterEach(() => {
  jest.restoreAllMocks()
  rmSync(folder, { recursive: true })
})
const answers = (answer: () => Response) => jest.spyOn(globalThis, 'fetch').mockImplementation(async () => answer())
const withLength = (body: Buffer, length = body.length, status = 200) =>
  new Response(new Uint8Array(body), { status, headers: { 'content-length': String(length) } })

describe('what a server says of a program', () => {
  const statement = signProgram(program, '1.0.1', key)
  it.each<[string, object, boolean]>([
    ['all of it', {}, true],
    ['no version', { version: undefined }, false],
    ['a version of two numbers', { version: '1.0' }, false],
    ['a version that leads elsewhere', { version: '../1.0.1' }, false],
    ['a length in words', { size: '9' }, false],
    ['half a byte', { size: 9.5 }, false],
    ['no digest', { sha256: undefined }, false],
    ['no signature', { signature: 7 }, false],
  ])('is taken with all of it alone: %s [P56]', (_what, more, isTaken) => {
    expect(readStatement({ ...statement, ...more })).toEqual(isTaken ? statement : undefined)
  })

  it.each([[null], [undefined], ['1.0.1'], [7]])('is nothing where it is %j [P56]', (value) => {
    expect(readStatement(value)).toBeUndefined()
  })

  it.each<[string, Buffer, Partial<Statement>, boolean]>([
    ['the one', program, {}, true],
    ['another of its length', Buffer.from('A program'), {}, false],
    ['a longer one', Buffer.from('a program '), {}, false],
    ['the one under another version', program, { version: '1.0.2' }, false],
  ])('is that of %s: the signed program alone [P56]', (_what, bytes, more, isOne) => {
    expect(isProgramOf(bytes, { ...statement, ...more }, keys)).toBe(isOne)
    expect(isProgramOf(bytes, { ...statement, ...more }, [])).toBe(false)
    expect(isProgramOf(bytes, { ...statement, ...more }, ['no key', ...keys])).toBe(isOne)
  })

  it.each([
    ['is there', () => Response.json({ product: 'v2', oldest: '1.0.0' }), { product: 'v2', oldest: '1.0.0' }],
    ['fails', () => Response.json({ product: 'v2', oldest: '1.0.0' }, { status: 500 }), undefined],
    ['says no version of its own', () => Response.json({ oldest: '1.0.0' }), undefined],
    ['says no oldest version', () => Response.json({ product: 'v2' }), undefined],
    ['is something else', () => new Response('hello'), undefined],
  ])('is known where it %s, and not otherwise [P56]', async (_what, answer, offer) => {
    answers(answer)
    expect(await findOffer(server)).toEqual(offer && { ...offer, offered: undefined })
  })

  it('is too old where it is older than that, and not where it is that one [P56]', () => {
    expect(toTooOld(server, version)).toBeUndefined()
    const next = version.replace(/\d+$/, (patch) => String(Number(patch) + 1))
    expect(toTooOld(server, next)).toContain(`is too old for dmp.test, which takes ${next} and newer`)
  })
})

describe('a program that is offered', () => {
  const offered = signProgram(program, '1.0.1', key)
  it('is fetched once, and waits for a start [P56]', async () => {
    const fetching = answers(() => withLength(program))
    expect(await fetchUpdate(server, offered, programs, keys)).toBe('1.0.1')
    expect([programs.findBest(), programs.read('1.0.1')]).toEqual(['1.0.1', program])
    expect(await fetchUpdate(server, offered, programs, keys)).toBeUndefined()
    expect(await fetchUpdate(server, undefined, programs, keys)).toBeUndefined()
    expect(fetching).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['is as old as the installed one', signProgram(program, '1.0.0', key), false],
    ['is older', signProgram(program, '0.9.9', key), false],
    ['is newer', offered, true],
  ])('that %s is fetched where it is newer alone [P56]', async (_what, statement, isFetched) => {
    const fetching = answers(() => withLength(program))
    await fetchUpdate(server, statement, programs, keys)
    expect(fetching.mock.calls.length > 0).toBe(isFetched)
  })

  it('that has failed here is not fetched again [P56]', async () => {
    programs.markBad('1.0.1')
    const fetching = answers(() => withLength(program))
    expect(await fetchUpdate(server, offered, programs, keys)).toBeUndefined()
    expect(fetching).not.toHaveBeenCalled()
  })

  it('that is larger than any program is not fetched, and nobody runs what a stranger signed [P56]', async () => {
    const fetching = answers(() => withLength(program))
    const large = signProgram(Buffer.alloc(64 * 2 ** 20 + 1), '1.0.1', key)
    await expect(fetchUpdate(server, large, programs, keys)).rejects.toThrow('was not taken')
    await expect(fetchUpdate(server, offered, programs, [])).rejects.toThrow('was not taken')
    expect(fetching).not.toHaveBeenCalled()
    const largest = signProgram(Buffer.alloc(64 * 2 ** 20), '1.0.1', key)
    await expect(fetchUpdate(server, largest, programs, keys)).rejects.toThrow('could not be fetched (answer 200)')
  })

  it.each([
    ['with an error', () => withLength(program, program.length, 500), 'could not be fetched (answer 500)'],
    ['in another length', () => withLength(program, 8), 'could not be fetched (answer 200)'],
    ['without a length', () => new Response(new Uint8Array(program)), 'could not be fetched (answer 200)'],
    ['as another one', () => withLength(Buffer.from('A program')), 'is not what was signed'],
  ])('and comes %s is not taken [P56]', async (_how, answer, words) => {
    answers(answer)
    const failure: unknown = await fetchUpdate(server, offered, programs, keys).catch((cause: unknown) => cause)
    expect(failure).toBeInstanceOf(Stop)
    expect(failure).toMatchObject({ message: expect.stringContaining(words) as string })
    expect(programs.findBest()).toBeUndefined()
  })
})

describe('programs that came from the server', () => {
  const add = (...versions: string[]) => {
    for (const each of versions) programs.add(signProgram(program, each, key), program)
  }
  it('are the two newest; the newest that is signed and has not failed is started [P56]', () => {
    add('1.0.9', '1.0.10', '1.0.8')
    expect(programs.findBest()).toBe('1.0.10')
    expect(['1.0.8', '1.0.9', '1.0.10'].map((each) => programs.read(each) !== undefined)).toEqual([false, true, true])
    programs.markBad('1.0.10')
    expect([programs.findBest(), programs.isBad('1.0.10'), programs.isWanted('1.0.10')]).toEqual(['1.0.9', true, false])
    add('1.0.10')
    expect(programs.findBest()).toBe('1.0.9')
    writeFileSync(programs.place('1.0.9'), 'changed!!')
    expect(programs.findBest()).toBeUndefined()
  })

  it('are none that are no newer than the installed one, nor what has no version for a name [P56]', () => {
    add('1.0.0')
    mkdirSync(path.join(folder, 'programs'), { recursive: true })
    writeFileSync(path.join(folder, 'programs', 'uploader-new.json'), '{}')
    expect(programs.findBest()).toBeUndefined()
    expect(readdirSync(path.join(folder, 'programs'))).toContain('uploader-new.json')
  })

  it('are none under another name than they were signed for [P56]', () => {
    add('1.0.1')
    for (const ending of ['json', 'cjs'])
      writeFileSync(
        path.join(folder, 'programs', `uploader-1.0.2.${ending}`),
        ending === 'cjs' ? program : JSON.stringify(signProgram(program, '1.0.1', key)),
      )
    expect(programs.findBest()).toBe('1.0.1')
  })

  it('are good once they have started, until they fail [P56]', () => {
    expect(programs.isGood('1.0.1')).toBe(false)
    programs.markGood('1.0.1')
    for (let patch = 2; patch < 11; patch += 1) programs.markGood(`1.0.${patch}`)
    programs.markGood('1.0.10')
    expect(programs.isGood('1.0.1')).toBe(true)
    programs.markBad('1.0.1')
    expect([programs.isGood('1.0.1'), programs.isBad('1.0.1'), programs.isGood('1.0.2')]).toEqual([false, true, true])
  })
})
