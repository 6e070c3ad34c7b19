import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createSecureServer } from 'node:https'
import { generate } from 'selfsigned'
import { postOutside, type OutsideFailure } from './postOutside.ts'
import type { HostAddress, ResolveHost } from './resolveHost.ts'

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(server: Server): Promise<number> {
  open.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return (server.address() as AddressInfo).port
}
const serve = (answer: RequestListener): Promise<number> => listen(createServer(answer))

const own: HostAddress = { address: '127.0.0.1', family: 4 }
const allowed = { networks: [], hosts: ['127.0.0.1', 'receiver.example'] }
const post = (url: string, more: Partial<Parameters<typeof postOutside>[1]> = {}) =>
  postOutside(
    { url, headers: { 'x-own': 'yes' }, body: '{}' },
    { allowed, timeoutMs: 5000, answerBytes: 4096, ...more },
  )
const problemOf = (sent: Promise<unknown>): Promise<string> =>
  sent.then(
    () => 'none',
    (cause: unknown) => (cause as OutsideFailure).problem,
  )

describe('a request to an address that a customer chose', () => {
  it('arrives with its headers and its body, and brings back the answer [P49]', async () => {
    const port = await serve((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () =>
        response.writeHead(202, { 'retry-after': '7' }).end(`${request.headers['x-own']} ${body}`),
      )
    })
    expect(await post(`http://127.0.0.1:${port}/`)).toEqual({ status: 202, retryAfter: '7', text: 'yes {}' })
  })

  it('connects to the address that was judged, and asks for the name once [P49]', async () => {
    const hosts: string[] = []
    const port = await serve((request, response) => {
      hosts.push(request.headers.host ?? '')
      response.end()
    })
    let asked = 0
    // A name server that changes its mind: it is not asked again.
    const resolve: ResolveHost = async () => ((asked += 1) === 1 ? [own] : [{ address: '10.0.0.1', family: 4 }])
    expect((await post(`http://receiver.example:${port}/`, { resolve })).status).toBe(200)
    expect([asked, hosts]).toEqual([1, [`receiver.example:${port}`]])
  })

  it.each([
    ['one is private', [{ address: '10.0.0.1', family: 4 }]],
    [
      'one of two is private',
      [
        { address: '8.8.8.8', family: 4 },
        { address: '::1', family: 6 },
      ],
    ],
    ['it is the metadata of a cloud', [{ address: '169.254.169.254', family: 4 }]],
  ] as const)('goes nowhere when of the addresses of its name %s [P49]', async (_what, addresses) => {
    const sent = post('https://other.example/', { resolve: async () => addresses })
    expect(await problemOf(sent)).toBe('AddressRefused')
  })

  it('goes nowhere when nobody knows the name [P49]', async () => {
    expect(await problemOf(post('https://other.example/', { resolve: async () => [] }))).toBe('NameUnknown')
    const failing = async () => Promise.reject(new Error('SERVFAIL'))
    expect(await problemOf(post('https://other.example/', { resolve: failing }))).toBe('NameUnknown')
  })

  it('goes nowhere over a port or a scheme that is not allowed, without asking for the name [P49]', async () => {
    const resolve = jest.fn(async () => [own])
    for (const url of ['http://other.example/', 'https://other.example:6379/', 'https://a@receiver.example/'])
      expect(await problemOf(post(url, { resolve }))).toBe('AddressRefused')
    expect(resolve).not.toHaveBeenCalled()
  })

  it('follows no redirect [P49]', async () => {
    let visits = 0
    const port = await serve((_request, response) => {
      visits += 1
      response.writeHead(307, { location: `http://127.0.0.1:${port}/again` }).end()
    })
    expect((await post(`http://127.0.0.1:${port}/`)).status).toBe(307)
    expect(visits).toBe(1)
  })

  it('reads no more of a huge answer than was asked for, and breaks it off [P49]', async () => {
    const gone = Promise.withResolvers<void>()
    const port = await serve((_request, response) => {
      response.on('close', () => gone.resolve())
      const more = (): void => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', more)
      }
      more()
    })
    const { status, text } = await post(`http://127.0.0.1:${port}/`)
    expect([status, text.length]).toEqual([200, 4096])
    await gone.promise
  })

  it('gives up on a receiver that never answers, and on a name server that does not [P49]', async () => {
    const port = await serve(() => undefined)
    expect(await problemOf(post(`http://127.0.0.1:${port}/`, { timeoutMs: 50 }))).toBe('TooSlow')
    const never = () => new Promise<HostAddress[]>(() => undefined)
    expect(await problemOf(post('https://other.example/', { timeoutMs: 50, resolve: never }))).toBe('TooSlow')
  })

  it('counts the status of an answer whose body never ends [P49]', async () => {
    const port = await serve((_request, response) => void response.write('begun'))
    expect(await post(`http://127.0.0.1:${port}/`, { timeoutMs: 2000 })).toMatchObject({ status: 200, text: 'begun' })
  })

  it('counts the status of an answer that breaks off half way [P49]', async () => {
    const port = await serve(({ socket }) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'))
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 200, text: 'half' })
  })

  it.each([
    ['a websocket', 'connection: upgrade\r\nupgrade: websocket\r\n'],
    ['nothing', ''],
  ])('takes a switch to %s for the answer, and goes along with none [P49]', async (_what, headers) => {
    const gone = Promise.withResolvers<void>()
    const port = await serve(({ socket }) => {
      socket.on('close', () => gone.resolve())
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`)
    })
    expect(await post(`http://127.0.0.1:${port}/`, { timeoutMs: 2000 })).toMatchObject({ status: 101, text: '' })
    await gone.promise
  })

  it.each(['100 Continue', '103 Early Hints'])('breaks off %s without an end [P49]', async (status) => {
    const port = await serve(({ socket }) => {
      const more = (): void => {
        while (socket.writable && socket.write(`HTTP/1.1 ${status}\r\n\r\n`));
        socket.once('drain', more)
      }
      socket.on('error', () => undefined)
      more()
    })
    expect(await problemOf(post(`http://127.0.0.1:${port}/`))).toBe('NoConnection')
  })

  it('waits no longer for an answer that is announced again and again [P49]', async () => {
    const port = await serve((_request, response) => void response.writeProcessing())
    expect(await problemOf(post(`http://127.0.0.1:${port}/`, { timeoutMs: 500 }))).toBe('TooSlow')
  })

  it('takes the answer that comes after an announcement [P49]', async () => {
    const port = await serve((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' })
      response.writeHead(204).end()
    })
    expect((await post(`http://127.0.0.1:${port}/`)).status).toBe(204)
  })

  it.each([
    ['breaks off', (request: Parameters<RequestListener>[0]) => request.socket.destroy()],
    [
      'breaks off within the headers',
      ({ socket }: Parameters<RequestListener>[0]) => socket.end('HTTP/1.1 200 OK\r\nx'),
    ],
    ['answers nonsense', (request: Parameters<RequestListener>[0]) => request.socket.end('nonsense\r\n\r\n')],
    [
      'sends endless headers',
      (request: Parameters<RequestListener>[0]) =>
        request.socket.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(10_000)}`),
    ],
  ])('survives a receiver that %s [P49]', async (_what, answer) => {
    const port = await serve((request) => void answer(request))
    expect(await problemOf(post(`http://127.0.0.1:${port}/`))).toBe('NoConnection')
  })

  it('finds nobody at a closed port [P49]', async () => {
    const port = await serve(() => undefined)
    const [server] = open.splice(0)
    await new Promise((closed) => server?.close(closed))
    expect(await problemOf(post(`http://127.0.0.1:${port}/`))).toBe('NoConnection')
  })

  it('trusts no certificate that nobody vouches for [P49]', async () => {
    const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }])
    const port = await listen(createSecureServer({ cert, key }, (_request, response) => void response.end()))
    expect(await problemOf(post(`https://127.0.0.1:${port}/`))).toBe('CertificateRefused')
  })
})
