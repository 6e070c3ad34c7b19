import { fastify, type FastifyInstance } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { registerErrorResponses } from './errorResponses.ts'

/** Whatever a call throws. */
let thrown: unknown
let logged: string[]
let app: FastifyInstance
beforeAll(async () => {
  logged = []
  app = fastify({ logger: { stream: { write: (line: string) => void logged.push(line) } } })
  registerErrorResponses(app)
  app.get('/fails', () => Promise.reject(thrown as Error))
  app.post('/fails', { bodyLimit: 2048 }, () => ({}))
  await app.ready()
})
afterAll(() => app.close())
beforeEach(() => {
  logged.length = 0
})

async function ask(cause: unknown, language?: string) {
  thrown = cause
  const headers = language === undefined ? {} : { 'accept-language': language }
  const answer = await app.inject({ url: '/fails', headers })
  const { code, message, requestId } = answer.json<{ code: string; message: string; requestId: string }>()
  return { status: answer.statusCode, code, message, requestId, headers: answer.headers }
}
const failure = (code: unknown, message = 'secret of the database') => Object.assign(new Error(message), { code })

describe('what a call throws', () => {
  it.each<[string, unknown]>([
    ['a line that broke', failure('ECONNRESET')],
    ['a line that the server ended', failure('57P01')],
    ['a database that only reads since a moment', failure('25006')],
    ['a transaction that met another', failure('40001')],
    ['a transaction that was undone so that another ends', failure('40P01')],
    ['a plan of before a migration', failure('0A000', 'cached plan must not change result type')],
    ['a statement that took too long', failure('57014')],
    ['too many connections', failure('53300')],
    ['a pool that has none left', failure(undefined, 'timeout exceeded when trying to connect')],
  ])('is worth another try soon where it is %s', async (_what, cause) => {
    const { status, code, message, headers } = await ask(cause)
    expect([status, code, headers['retry-after']]).toEqual([503, 'NOT_READY', '2'])
    expect(message).toBe('The service is not ready. Please try again in a moment.')
    expect(logged.join()).toContain('a dependency failed')
  })

  it.each<[string, unknown]>([
    ['an error of ours', failure(undefined)],
    ['something that is not there twice', failure('23505')],
    ['another feature that there is not', failure('0A000', 'not supported')],
    ['no error', 'a sentence'],
    ['nothing', null],
    ['a status that is none of a refusal', Object.assign(failure(undefined), { statusCode: 302 })],
    ['a status of another server that is away', Object.assign(failure(undefined), { statusCode: 503 })],
    ['a status of which nothing is said', Object.assign(failure(undefined), { statusCode: 418 })],
  ])('is ours where it is %s, and says nothing of it', async (_what, cause) => {
    const { status, code, message, headers } = await ask(cause)
    expect([status, code, headers['retry-after']]).toEqual([500, 'INTERNAL', undefined])
    expect(message).toBe('Something went wrong. Please try again later.')
    expect(logged.join()).toContain('unexpected error')
  })

  it.each<[string, unknown, number, string]>([
    ['text that the database cannot hold', failure('22021'), 400, 'INVALID'],
    [
      'what the program that reads requests refuses',
      Object.assign(failure('FST'), { statusCode: 415 }),
      415,
      'WRONG_TYPE',
    ],
    ['what takes too long to arrive', Object.assign(failure('FST'), { statusCode: 408 }), 408, 'TOO_SLOW'],
    ['a disk without room', failure('ENOSPC'), 507, 'NO_ROOM'],
    ['a database without room', failure('53100'), 507, 'NO_ROOM'],
  ])('is told by its own words: %s', async (_what, cause, status, code) => {
    const answer = await ask(cause)
    expect(answer).toMatchObject({ status, code })
    expect(answer.message).not.toContain('secret')
    expect(answer.headers['retry-after']).toBe(status === 507 ? '60' : undefined)
  })

  it('is logged with what it says and where it came from, and without the values that a database repeats', async () => {
    for (const code of ['23505', '57014', '53100']) {
      logged.length = 0
      const { requestId } = await ask(
        Object.assign(failure(code), { detail: 'Key (name)=(Sample^Anna)', parameters: ['P1'] }),
      )
      const [line] = logged.filter((text) => text.includes('"err"'))
      expect(line).toContain('secret of the database')
      expect(line).toContain(requestId)
      expect(line).not.toMatch(/Sample|P1/)
    }
  })

  it('is said in the language that was asked for, and only another one than English is named', async () => {
    const german = await ask(failure('57014'), 'de-DE,de;q=0.9,en;q=0.8')
    expect(german.headers['content-language']).toBe('de')
    expect(german.message).not.toContain('The service')
    for (const language of [undefined, 'en-GB', 'xx']) {
      const { message, headers } = await ask(failure('57014'), language)
      expect([message, headers['content-language']]).toEqual([
        'The service is not ready. Please try again in a moment.',
        undefined,
      ])
    }
  })

  it('says how much the server accepts where a body is too large', async () => {
    const payload = { text: 'x'.repeat(3000) }
    const answer = await app.inject({ method: 'POST', url: '/fails', payload })
    expect([answer.statusCode, answer.json<object>()]).toEqual([
      413,
      expect.objectContaining({
        code: 'TOO_LARGE',
        message: 'This is larger than the server accepts here: at most 2 kB.',
      }),
    ])
  })

  it('is a refusal as it stands, with what it knows of fields, and in the log only where the caller can do nothing', async () => {
    const refusal = new Refusal(409, 'DOES_NOT_FIT', 'This does not fit.', undefined, 7)
    refusal.cause = failure('SECRET')
    const { status, code, headers } = await ask(refusal)
    expect([status, code, headers['retry-after']]).toEqual([409, 'DOES_NOT_FIT', '7'])
    expect(logged.join()).not.toContain('a dependency failed')
  })
})
