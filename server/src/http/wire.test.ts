import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { startServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let url: URL

beforeAll(async () => {
  server = await startServer()
  url = new URL(await server.listen())
})
afterAll(() => server.close())

/** What comes back for bytes that no client would send. */
function exchange(lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname, () => socket.end(lines.join('\r\n')))
    let text = ''
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
  })
}
/** The status of the answer; what comes after the first one is seen as well. */
const sendRaw = async (lines: readonly string[]): Promise<string[]> =>
  [...(await exchange(lines)).matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status = '']) => status)
const post = ['POST /api/account/login HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']

describe('on the wire, the server', () => {
  it.each([
    [
      'a length and chunks',
      [
        'Content-Length: 4',
        'Transfer-Encoding: chunked',
        '',
        '0',
        '',
        'GET /healthz HTTP/1.1',
        'Host: localhost',
        '',
        '',
      ],
    ],
    [
      'two lengths',
      ['Content-Length: 0', 'Content-Length: 36', '', 'GET /healthz HTTP/1.1', 'Host: localhost', '', ''],
    ],
    ['another coding', ['Transfer-Encoding: gzip, chunked, identity', '', '0', '', '']],
    ['a folded header', ['Content-Length: 0', ' 36', '', '']],
  ])('refuses a message whose length is said twice or in riddles: %s [P10]', async (_name, lines) => {
    expect(await sendRaw([...post, ...lines])).toEqual(['400'])
  })

  it.each([
    ['no HTTP', ['hello', '', ''], '400 Bad Request', 'INVALID'],
    ['a head that is too long', ['GET / HTTP/1.1', `X: ${'x'.repeat(20_000)}`, '', ''], '431 Request', 'TOO_LARGE'],
  ])('answers %s as it answers everything, with all headers [P10]', async (_name, lines, status, code) => {
    const [head = '', body = ''] = (await exchange(lines)).split('\r\n\r\n')
    expect(head.startsWith(`HTTP/1.1 ${status}`)).toBe(true)
    for (const header of ["content-security-policy: default-src 'none'", 'x-content-type-options: nosniff'])
      expect(head).toContain(header)
    expect(JSON.parse(body)).toEqual({ code, message: expect.any(String), requestId: expect.any(String) })
  })

  it('answers https at its http port with http, which is how clients know, and logs why in one line', async () => {
    const lines = () => server.logs.filter((line) => line.includes('speaks https'))
    for (let round = 0; round < 3; round += 1) {
      await expect(fetch(`https://${url.host}/healthz`)).rejects.toThrow()
      const secure = connectTls({ port: Number(url.port), host: url.hostname, rejectUnauthorized: false })
      const [cause] = (await once(secure, 'error')) as [{ code?: string }]
      expect(cause.code).toBe('ERR_SSL_WRONG_VERSION_NUMBER')
    }
    expect(lines()).toHaveLength(1)
    expect(JSON.parse(lines()[0] ?? '')).toMatchObject({ level: 40, ip: '127.0.0.1' })
  })

  it('does not know TRACE [P10]', async () => {
    expect(await sendRaw(['TRACE / HTTP/1.1', 'Host: localhost', 'Connection: close', '', ''])).toEqual(['404'])
  })

  it.each([
    '/.git/config',
    '/.env',
    '/package.json',
    '/server/src/main.ts',
    '/..%2f..%2fetc/passwd',
    '/releases/',
    '/releases/host/',
  ])('serves no file but those of releases: %s', async (path) => {
    const reply = await server.app.inject(path)
    expect([404, 503]).toContain(reply.statusCode)
    expect(reply.body).not.toMatch(/root:|\[core\]|"dependencies"|import /)
  })

  it.each(['/api/unknown', '/healthz', '/api/docs', '/api/openapi.json', '/', '/dicom-web/studies', '/dev/mail'])(
    'says of every answer what it is, and text in which charset: %s',
    async (path) => {
      const { headers } = await server.app.inject(path)
      expect(headers['content-type']).toMatch(/^(?:application\/json|text\/html); charset=utf-8$/)
    },
  )
})
