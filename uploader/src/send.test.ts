import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendFile } from './send.ts'
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
  const server = new URL('http://dmp.test')
  afterEach(() => jest.restoreAllMocks())

  it('is put off while nobody answers the sign-in [P28]', async () => {
    answers(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }))
    expect(await as(server)).toEqual({ kind: 'later', reason: 'dmp.test does not answer (ECONNREFUSED).' })
  })

  it('is not tried again by an account that is not let in', async () => {
    answers(Response.json({ code: 'WRONG_CREDENTIALS', message: 'Email or password is not right.' }, { status: 401 }))
    await expect(as(server)).rejects.toThrow(Stop)
  })
})
