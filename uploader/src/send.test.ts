import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uploadTimeoutMs, sendFile } from './send.ts'
import { sendLarge } from './sendLarge.ts'
import { Session } from './Session.ts'
import { Stop } from './stop.ts'

const file = { path: join(mkdtempSync(join(tmpdir(), 'dmp-send-')), 'a.dcm'), size: 3, modifiedMs: 0 }
writeFileSync(file.path, 'abc')
const { signal } = new AbortController()
const journal = { findUploadUrl: () => undefined, begin: () => {} }
const ways = [
  ['a small file', (session: Session, server: URL) => sendFile(session, server, file, signal)],
  ['a large file', (session: Session, server: URL) => sendLarge(file, { session, server, journal, signal })],
] as const

describe.each(ways)('%s', (_which, send) => {
  const as = (server: URL) =>
    send(new Session({ server, email: 'service@north.example', password: 'secret', askCode: undefined }), server)
  const answers = (answer: Response | Error) =>
    jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation(() => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)))
  const signedInThen = (body: unknown, init: ResponseInit) =>
    jest.spyOn(globalThis, 'fetch').mockImplementation((to) =>
      Promise.resolve(
        String(to).endsWith('/login')
          ? Response.json({
              data: { accessToken: 'a', refreshToken: 'b', expireDate: new Date(Date.now() + 900_000).toISOString() },
            })
          : Response.json(body, init),
      ),
    )
  const server = new URL('http://dmp.test')
  afterEach(() => jest.restoreAllMocks())

  it('is put off while nobody answers the sign-in [P28]', async () => {
    answers(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }))
    expect(await as(server)).toEqual({
      kind: 'later',
      reason: 'dmp.test does not respond (ECONNREFUSED).',
      code: 'LINE_LOST',
      isUnreachable: true,
    })
  })

  it.each([
    [401, {}, { kind: 'later', reason: 'The session has ended.', code: 'TOKEN_ENDED', afterMs: 0 }],
    [429, { 'retry-after': '7' }, { kind: 'later', reason: 'In words.', code: 'X', afterMs: 7000 }],
    [500, {}, { kind: 'later', reason: 'In words.', code: 'X' }],
    [503, { 'retry-after': '2' }, { kind: 'later', reason: 'In words.', code: 'X', afterMs: 2000 }],
    [400, {}, { kind: 'refused', reason: 'In words.', code: 'X' }],
    [409, {}, { kind: 'refused', reason: 'In words.', code: 'X' }],
    [413, {}, { kind: 'refused', reason: 'In words.', code: 'X' }],
    [499, {}, { kind: 'refused', reason: 'In words.', code: 'X' }],
  ])('that the server answers with %i is tried again or refused [2.41, P28]', async (status, headers, outcome) => {
    signedInThen(
      { code: 'X', message: 'In words.' },
      { status, headers: { 'content-type': 'application/json', ...headers } },
    )
    expect(await as(server)).toEqual(outcome)
  })

  it.each([
    [403, 'X', 'This account may not upload: In words.'],
    [404, 'X', 'In words.'],
    [409, 'NO_DATASTORE', 'In words.'],
    [421, 'X', expect.stringContaining('does not answer to this name. In words.') as string],
  ])(
    'ends the run when the server answers with %i %s: no other file would be taken [2.41]',
    async (status, code, message) => {
      signedInThen({ code, message: 'In words.' }, { status })
      const failure: unknown = await as(server).catch((cause: unknown) => cause)
      expect(failure).toBeInstanceOf(Stop)
      expect(failure).toMatchObject({ message })
    },
  )

  it.each([
    [
      409,
      { '00081198': { Value: [{ '00081155': { Value: ['1.2'] }, '00000902': { Value: ['Too deep.'] } }] } },
      'refused',
    ],
    [200, { '00081199': { Value: [{ '00081155': { Value: ['1.2'] } }] } }, 'stored'],
    [200, {}, 'later'],
    [409, 'cut off', 'later'],
  ])('that is answered with %i in the words of a store, %j, is %s [2.41, P28]', async (status, body, kind) => {
    signedInThen(body, { status, headers: { 'content-type': 'application/dicom+json' } })
    expect(await as(server)).toMatchObject({ kind })
  })

  it('is refused by the store with its reason [2.41]', async () => {
    signedInThen(
      { '00081198': { Value: [{ '00000902': { Value: ['Too deep.'] } }] } },
      { status: 409, headers: { 'content-type': 'application/dicom+json' } },
    )
    expect(await as(server)).toEqual({ kind: 'refused', reason: 'Too deep.' })
  })

  it('is put off when the server cannot sign anybody in, and ends the run where there is no such server [2.41, P28]', async () => {
    answers(Response.json({ code: 'INTERNAL', message: 'Something broke.' }, { status: 500 }))
    expect(await as(server)).toEqual({ kind: 'later', reason: 'Something broke.' })
    answers(Response.json({ code: 'NOT_FOUND', message: 'Nothing here.' }, { status: 404 }))
    await expect(as(server)).rejects.toThrow('dmp.test is not a Data Management Platform. Is this the right address?')
  })

  it('waits half a minute for a sign-in [P28]', async () => {
    const patience = jest.spyOn(AbortSignal, 'timeout')
    answers(Response.json({ code: 'INTERNAL', message: 'Something broke.' }, { status: 500 }))
    await as(server)
    expect(patience.mock.calls).toEqual([[30_000]])
  })

  const breaksWith = (cause: Error) =>
    jest.spyOn(globalThis, 'fetch').mockImplementation((to) =>
      String(to).endsWith('/login')
        ? Promise.resolve(
            Response.json({
              data: { accessToken: 'a', refreshToken: 'b', expireDate: new Date(Date.now() + 900_000).toISOString() },
            }),
          )
        : Promise.reject(cause),
    )
  it('is tried again where the line breaks while it travels [P28]', async () => {
    breaksWith(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }))
    expect(await as(server)).toEqual({
      kind: 'later',
      reason: 'dmp.test does not respond (ECONNRESET). Check the connection.',
      code: 'LINE_LOST',
      isUnreachable: true,
    })
  })

  it.each([new RangeError('too much'), new ReferenceError('no such thing')])(
    'is no matter of the line when the program itself is wrong: %s',
    async (cause) => {
      breaksWith(cause)
      await expect(as(server)).rejects.toBe(cause)
    },
  )

  it('is not tried again by an account that is not let in', async () => {
    answers(Response.json({ code: 'WRONG_CREDENTIALS', message: 'Email or password is not right.' }, { status: 401 }))
    await expect(as(server)).rejects.toThrow(Stop)
  })
})

it('has a minute, and longer the larger it is [P28]', () => {
  expect([uploadTimeoutMs(0), uploadTimeoutMs(20), uploadTimeoutMs(20_000_000)]).toEqual([60_000, 60_001, 1_060_000])
})

describe('a large file that was begun before', () => {
  const place = '/api/Scan/uploads/one'
  const stored = () =>
    Response.json({ '00081199': { Value: [{}] } }, { headers: { 'content-type': 'application/dicom+json' } })
  const words = (status: number) => Response.json({ code: 'X', message: 'In words.' }, { status })
  afterEach(() => jest.restoreAllMocks())

  /** What the server was asked, with the offset and what travelled, and what came of it. */
  async function goesOn(answers: Partial<Record<string, Response>>, known: string | null = place) {
    const asked: string[] = []
    const begun: string[] = []
    jest.spyOn(globalThis, 'fetch').mockImplementation(async (to, { method = '', headers, body } = {}) => {
      const { pathname } = new URL(String(to))
      if (pathname.endsWith('/login'))
        return Response.json({
          data: { accessToken: 'a', refreshToken: 'b', expireDate: new Date(Date.now() + 900_000).toISOString() },
        })
      asked.push(
        [
          method,
          pathname,
          (headers as Record<string, string>)['upload-offset'],
          body instanceof Blob ? await body.text() : undefined,
        ]
          .filter(Boolean)
          .join(' '),
      )
      return answers[method] ?? stored()
    })
    const server = new URL('http://dmp.test')
    const session = new Session({ server, email: 'service@north.example', password: 'secret', askCode: undefined })
    const outcome = await sendLarge(file, {
      session,
      server,
      journal: { findUploadUrl: () => known ?? undefined, begin: (_file, where) => begun.push(where) },
      signal,
    })
    return { asked, begun, outcome }
  }
  const at = (offset: number) => new Response(null, { headers: { 'upload-offset': String(offset) } })
  const placed = () => new Response(null, { status: 201, headers: { location: '/api/Scan/uploads/two' } })

  it('goes on where the server has it to [2.41, P20]', async () => {
    expect(await goesOn({ HEAD: at(2) })).toEqual({
      asked: [`HEAD ${place}`, `PATCH ${place} 2 c`],
      begun: [],
      outcome: { kind: 'stored' },
    })
  })

  it('begins anew where the server has forgotten it, and remembers where [2.41, P20]', async () => {
    const { asked, begun, outcome } = await goesOn({ HEAD: words(404), POST: placed() })
    expect([asked.slice(1), begun, outcome]).toEqual([
      ['POST /api/Scan/uploads', 'PATCH /api/Scan/uploads/two 0 abc'],
      ['/api/Scan/uploads/two'],
      { kind: 'stored' },
    ])
  })

  it.each([408, 409, 423, 429, 500, 503, 504])(
    'is asked for later, and not sent anew, where the server answers %i to where it has it to [2.41, P20]',
    async (status) => {
      const { asked, begun, outcome } = await goesOn({ HEAD: new Response(null, { status }), POST: placed() })
      expect([asked, begun, outcome.kind]).toEqual([[`HEAD ${place}`], [], 'later'])
    },
  )

  it('waits for a new token where its own has ended meanwhile [P28]', async () => {
    expect(await goesOn({ HEAD: words(401) })).toEqual({
      asked: [`HEAD ${place}`],
      begun: [],
      outcome: { kind: 'later', reason: 'The session has ended.', code: 'TOKEN_ENDED', afterMs: 0 },
    })
  })

  it.each([
    ['says where, without having made it', new Response(null, { status: 200, headers: { location: '/elsewhere' } })],
    ['has made it, without saying where', new Response(null, { status: 201 })],
  ])('is not sent to a server that %s [P28]', async (_what, answer) => {
    expect(await goesOn({ POST: answer }, null)).toMatchObject({
      asked: ['POST /api/Scan/uploads'],
      begun: [],
      outcome: { kind: 'later', reason: 'The server is not a Data Management Platform.' },
    })
  })

  it.each([
    [
      'is still held by the attempt that broke',
      words(423),
      { kind: 'later', reason: 'Connection lost. The upload continues where it stopped.', code: 'LINE_LOST' },
    ],
    ['is too large', words(413), { kind: 'refused', reason: 'In words.', code: 'X' }],
    [
      'is no object that can be stored',
      Response.json(
        { '00081198': { Value: [{ '00000902': { Value: ['Too deep.'] } }] } },
        { status: 409, headers: { 'content-type': 'application/dicom+json' } },
      ),
      { kind: 'refused', reason: 'Too deep.' },
    ],
  ])('that %s is tried again or refused [2.41, P28]', async (_what, answer, outcome) => {
    expect((await goesOn({ HEAD: at(2), PATCH: answer })).outcome).toEqual(outcome)
  })
})

it('a small file says what it is, and in which words the answer is to be [2.41]', async () => {
  const asked: Headers[] = []
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (to, init) => {
    asked.push(new Headers(init?.headers))
    return String(to).endsWith('/login')
      ? Response.json({ data: { accessToken: 'a', refreshToken: 'b', expireDate: '2999-01-01T00:00:00Z' } })
      : Response.json({ '00081199': { Value: [{}] } }, { headers: { 'content-type': 'application/dicom+json' } })
  })
  const server = new URL('http://dmp.test')
  await sendFile(
    new Session({ server, email: 'service@north.example', password: 'secret', askCode: undefined }),
    server,
    file,
    signal,
  )
  jest.restoreAllMocks()
  expect(Object.fromEntries(asked.at(-1) ?? [])).toMatchObject({
    accept: 'application/dicom+json',
    authorization: 'Bearer a',
    'content-type': 'application/dicom',
  })
})
