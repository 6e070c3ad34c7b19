import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { patienceFor, sendFile } from './send.ts'
import { sendLarge } from './sendLarge.ts'
import { Session } from './Session.ts'
import { Stop } from './stop.ts'

const file = { path: join(mkdtempSync(join(tmpdir(), 'dmp-send-')), 'a.dcm'), size: 3, modifiedMs: 0 }
writeFileSync(file.path, 'abc')
const { signal } = new AbortController()
const journal = { placeOf: () => undefined, begin: () => {} }
const ways = [
  ['a small file', (session: Session, server: URL) => sendFile(session, server, file, signal)],
  ['a large file', (session: Session, server: URL) => sendLarge(file, { session, server, journal, signal })],
] as const

describe.each(ways)('%s', (_which, send) => {
  const as = (server: URL) => send(new Session({ server, email: 'service@north.example', password: 'secret', askCode: undefined }), server)
  const answers = (answer: Response | Error) => jest.spyOn(globalThis, 'fetch').mockImplementation(() => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)))
  const signedInThen = (body: unknown, init: ResponseInit) =>
    jest.spyOn(globalThis, 'fetch').mockImplementation((to) =>
      Promise.resolve(String(to).endsWith('/login') ? Response.json({ data: { accessToken: 'a', refreshToken: 'b', expireDate: new Date(Date.now() + 900_000).toISOString() } }) : Response.json(body, init)),
    )
  const server = new URL('http://dmp.test')
  afterEach(() => jest.restoreAllMocks())

  it('is put off while nobody answers the sign-in [P28]', async () => {
    answers(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }))
    expect(await as(server)).toEqual({ kind: 'later', reason: 'dmp.test does not answer (ECONNREFUSED).' })
  })

  it.each([
    [401, {}, { kind: 'later', reason: 'The session has ended.', afterMs: 0 }],
    [429, { 'retry-after': '7' }, { kind: 'later', reason: 'In words.', afterMs: 7000 }],
    [500, {}, { kind: 'later', reason: 'In words.' }],
    [503, { 'retry-after': '2' }, { kind: 'later', reason: 'In words.', afterMs: 2000 }],
    [400, {}, { kind: 'refused', reason: 'In words.' }],
    [409, {}, { kind: 'refused', reason: 'In words.' }],
    [413, {}, { kind: 'refused', reason: 'In words.' }],
  ])('that the server answers with %i is tried again or refused [2.41, P28]', async (status, headers, outcome) => {
    signedInThen({ code: 'X', message: 'In words.' }, { status, headers: { 'content-type': 'application/json', ...headers } })
    expect(await as(server)).toEqual(outcome)
  })

  it.each([
    [403, 'This account may not upload: In words.'],
    [404, 'In words.'],
  ])('ends the run when the server answers with %i: no other file would be taken [2.41]', async (status, words) => {
    signedInThen({ code: 'X', message: 'In words.' }, { status })
    await expect(as(server)).rejects.toThrow(new Stop(words))
  })

  it('is refused by the store with its reason [2.41]', async () => {
    signedInThen({ '00081198': { Value: [{ '00000902': { Value: ['Too deep.'] } }] } }, { status: 409, headers: { 'content-type': 'application/dicom+json' } })
    expect(await as(server)).toEqual({ kind: 'refused', reason: 'Too deep.' })
  })

  it('is put off when the server cannot sign anybody in, and ends the run where there is no such server [2.41, P28]', async () => {
    answers(Response.json({ code: 'INTERNAL', message: 'Something broke.' }, { status: 500 }))
    expect(await as(server)).toEqual({ kind: 'later', reason: 'Something broke.' })
    answers(Response.json({ code: 'NOT_FOUND', message: 'Nothing here.' }, { status: 404 }))
    await expect(as(server)).rejects.toThrow('dmp.test does not answer like the product. Is this the right address?')
  })

  it('waits half a minute for a sign-in [P28]', async () => {
    const patience = jest.spyOn(AbortSignal, 'timeout')
    answers(Response.json({ code: 'INTERNAL', message: 'Something broke.' }, { status: 500 }))
    await as(server)
    expect(patience.mock.calls).toEqual([[30_000]])
  })

  it('is not tried again by an account that is not let in', async () => {
    answers(Response.json({ code: 'WRONG_CREDENTIALS', message: 'Email or password is not right.' }, { status: 401 }))
    await expect(as(server)).rejects.toThrow(Stop)
  })
})

it('has a minute, and longer the larger it is [P28]', () => {
  expect([patienceFor(0), patienceFor(20), patienceFor(20_000_000)]).toEqual([60_000, 60_001, 1_060_000])
})
