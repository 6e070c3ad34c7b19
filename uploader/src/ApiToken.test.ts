import { ApiToken } from './ApiToken.ts'
import { Unreachable } from './answer.ts'
import { exitCodes, Stop } from './stop.ts'

const server = new URL('http://dmp.test')
const secret = `dmp_${'x'.repeat(45)}Ab3d`
afterEach(() => jest.restoreAllMocks())

const refusal = (status: number, message = 'Told by the server.') =>
  Response.json({ code: 'X', message, requestId: 'r' }, { status })
/** A server that answers so, again and again; keeps the headers that it got. */
function serverWith(answer: () => Response | Promise<Response>): Headers[] {
  const asked: Headers[] = []
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    asked.push(new Headers(init?.headers))
    return answer()
  })
  return asked
}

describe('an API token', () => {
  it('asks the server once whether it may upload, and is good until somebody ends it [P35]', async () => {
    const asked = serverWith(() => refusal(400, 'The request contains no objects.'))
    const token = new ApiToken(server, secret)
    expect([await token.token(), await token.ready(), await token.token()]).toEqual([
      secret,
      { kind: 'ready', token: secret },
      secret,
    ])
    expect(asked.map((headers) => headers.get('authorization'))).toEqual([`Bearer ${secret}`])
    token.reject()
    await expect(token.token()).rejects.toThrow(/was ended, or is suspended or expired/)
    await token.signOut()
  })

  it.each([
    [401, 'The API token was ended, or is suspended or expired. Connect again.'],
    [403, 'The server refused the API token: Told by the server.'],
  ])('that is answered with %d ends the run with one sentence [P35]', async (status, message) => {
    serverWith(() => refusal(status))
    const failure: unknown = await new ApiToken(server, secret).token().catch((cause: unknown) => cause)
    expect(failure).toMatchObject({
      message,
      exitCode: exitCodes.notSignedIn,
    })
    expect(String(failure)).not.toContain(secret)
  })

  it('waits for a server that is not there, or has too much to do [P28]', async () => {
    serverWith(() => Promise.reject(new TypeError('fetch failed')))
    const token = new ApiToken(server, secret)
    await expect(token.token()).rejects.toBeInstanceOf(Unreachable)
    expect(await token.ready()).toMatchObject({ kind: 'later', reason: expect.stringContaining('does not respond') })
    for (const status of [429, 500, 503]) {
      serverWith(() => refusal(status))
      await expect(token.token()).rejects.toBeInstanceOf(Unreachable)
    }
  })

  it('says of a server that does not answer to this name which one that is [P28]', async () => {
    serverWith(() => refusal(421))
    const failure: unknown = await new ApiToken(server, secret).token().catch((cause: unknown) => cause)
    expect(failure).toBeInstanceOf(Stop)
    expect(failure).toMatchObject({
      message: expect.stringContaining('does not answer to this name. Told by the server.'),
    })
  })

  it('is told from what is none, and another server from the product', async () => {
    expect(() => new ApiToken(server, 'DemoPassw0rd!')).toThrow(Stop)
    serverWith(() => new Response('hello'))
    await expect(new ApiToken(server, secret).token()).rejects.toThrow('is not a Data Management Platform')
  })

  it('is named by its last characters alone [P23]', () => {
    expect(new ApiToken(server, secret).name).toBe('the API token that ends with Ab3d')
  })
})
