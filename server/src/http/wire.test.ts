import { connect } from 'node:net'
import { startServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let url: URL

beforeAll(async () => {
  server = await startServer()
  url = new URL(await server.listen())
})
afterAll(() => server.close())

/** The first line of the answer to bytes that no client would send; what comes after them is seen as well. */
function sendRaw(lines: readonly string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname, () => socket.end(lines.join('\r\n')))
    let text = ''
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
    socket.on('error', reject)
    socket.on('close', () => resolve([...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status = '']) => status)))
  })
}
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
