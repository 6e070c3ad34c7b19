import { connect } from 'node:net'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type InjectOptions } from 'fastify'
import { calls } from '@dmp/contract/calls'
import { pino } from 'pino'
import { OpenResponses } from '../core/openResponses.ts'
import { Penalties } from '../core/penalties.ts'
import { anyOtherCall, createRateLimits, limitsByRoute, type LimitedRoute } from '../core/rateLimits.ts'
import { readSettings } from '../settings/settings.ts'
import { startServer, type TestServer } from '../testing/server.ts'
import { registerCallLimits } from './callLimits.ts'
import { createFastifyOptions } from './fastifyOptions.ts'

const limits = createRateLimits(1, undefined)
const factor = 0.01

/** Each method and path that is really routed, from the tree that Fastify prints. */
function listRoutes(app: FastifyInstance): { method: string; path: string }[] {
  const parents: string[] = []
  return [...app.printRoutes({ commonPrefix: false }).matchAll(/^([│ ]*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/gm)].flatMap(
    ([, indent = '', segment = '', methods = '']) => {
      const depth = indent.length / 4
      parents.splice(depth, Infinity, segment)
      // Where the address itself is routed as well, the tree leaves out the slash before the rest of it.
      const path = parents.join('').replace(/([^/])\*$/, '$1/*')
      return methods
        .split(', ')
        .filter((method) => ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
        .map((method) => ({ method, path }))
    },
  )
}

const countAs = ({ ip }: { readonly ip: string }): string => ip

describe('every route', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ DMP_LIMIT_FACTOR: String(factor) })
    await server.app.ready()
  })
  afterAll(() => server.close())

  it('counts a call of its address against a limit that is written down, before anything else [P19]', async () => {
    const known = new Set<string>([...Object.keys(limitsByRoute), ...calls.map(({ name }) => name)])
    const spend = jest.spyOn(server.deps.limits, 'spend')
    const requests = listRoutes(server.app)
    expect(requests.length).toBeGreaterThan(150)
    const without: string[] = []
    for (const [n, { method, path }] of requests.entries()) {
      const remoteAddress = `10.20.${n >> 8}.${n & 255}`
      spend.mockClear()
      const url = path.replaceAll(/:\w+|\*/g, 'x')
      await server.app.inject({ method: method as 'GET', url, remoteAddress })
      const [limit, address, viewer] = spend.mock.calls[0] ?? []
      // Unknown addresses of the API share the limits on all calls.
      const isStated = known.has(limit ?? '') || (limit === anyOtherCall && path === '/api/*')
      if (!isStated || address !== `address ${remoteAddress}` || viewer !== undefined)
        without.push(`${method} ${path}: ${limit}`)
    }
    spend.mockRestore()
    expect(without).toEqual([])
  })

  it('keeps the server from starting if it states none [P19]', async () => {
    const app = Fastify()
    registerCallLimits(app, { limits, openResponses: new OpenResponses(1, 1), penalties: new Penalties(1), countAs })
    expect(() => app.get('/forgotten', async () => 'here')).toThrow('GET /forgotten states no limit')
    await app.close()
  })

  const requests: Readonly<Record<LimitedRoute, InjectOptions>> = {
    DICOMweb: { url: '/dicom-web/studies' },
    page: { url: '/share/abc' },
    'release file': { url: '/releases/host/1/x.js' },
    'live channel': { url: '/live?sessionId=x' },
    download: { url: '/api/Scan/downloads/garbage' },
    health: { url: '/healthz' },
    documentation: { url: '/api/docs' },
    demo: { url: '/dev/mail' },
    launch: { url: '/launch' },
    'OAuth token': { url: '/api/oauth/token', method: 'POST' },
    'OAuth device': { url: '/api/oauth/device', method: 'POST' },
    'begin an upload': { url: '/api/Scan/uploads', method: 'POST' },
    'continue an upload': { url: `/api/Scan/uploads/${'0'.repeat(32)}`, method: 'HEAD' },
  }
  it.each(Object.entries(requests))('beside the contract slows one address down: %s [P19]', async (route, request) => {
    const calls = limitsByRoute[route as LimitedRoute].find(({ per }) => per === 'address')?.calls ?? 0
    const ask = (remoteAddress: string) =>
      server.app.inject({ ...request, remoteAddress, headers: { authorization: 'Bearer garbage' } })
    for (let n = 0; n < Math.max(1, Math.round(calls * factor)); n += 1)
      expect((await ask('10.9.0.1')).statusCode).not.toBe(429)
    const refused = await ask('10.9.0.1')
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    expect((await ask('10.9.0.2')).statusCode).not.toBe(429)
  })
})

describe('a line that somebody keeps open', () => {
  const settings = readSettings({ DMP_DEMO: '1' })
  const open: FastifyInstance[] = []
  const listen = async (app: FastifyInstance): Promise<number> => {
    open.push(app)
    await app.listen({ port: 0, host: '127.0.0.1' })
    return (app.server.address() as { port: number }).port
  }
  afterEach(async () => {
    for (const app of open.splice(0)) await app.close()
  })

  it('is closed when its reader takes nothing any more, and its response counts no longer [P18]', async () => {
    const app = Fastify()
    await app.register(cookie)
    const openResponses = new OpenResponses(1, 1)
    registerCallLimits(app, { limits, openResponses, penalties: new Penalties(1), countAs }, { stallMs: 300 })
    const ended = Promise.withResolvers<boolean>()
    const chunk = Buffer.alloc(2 ** 20)
    app.get('/large', { config: { limit: 'page' } }, async (_request, reply) => {
      reply.raw.once('close', () => ended.resolve(reply.raw.writableFinished))
      return reply.send(Readable.from(Array.from({ length: 200 }, () => chunk)))
    })
    app.get('/small', { config: { limit: 'page' } }, async () => 'small')
    const port = await listen(app)
    const reader = connect(port, '127.0.0.1').on('error', () => undefined)
    reader.pause()
    reader.write('GET /large HTTP/1.1\r\nHost: here\r\n\r\n')
    expect(await ended.promise).toBe(false)
    reader.destroy()
    expect((await fetch(`http://127.0.0.1:${port}/small`)).status).toBe(200)
  })

  it('is closed with a line in the log when its reader takes less than a megabyte in so long [P18]', async () => {
    const lines: string[] = []
    const log: FastifyBaseLogger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
    const app = Fastify({ loggerInstance: log })
    await app.register(cookie)
    const floor = { bytes: 2 ** 20, ms: 300 }
    registerCallLimits(
      app,
      { limits, openResponses: new OpenResponses(1, 1), penalties: new Penalties(1), countAs },
      { floor },
    )
    const ended = Promise.withResolvers<boolean>()
    app.get('/large', { config: { limit: 'page' } }, async (_request, reply) => {
      reply.raw.once('close', () => ended.resolve(reply.raw.writableFinished))
      return reply.send(Readable.from(Array.from({ length: 200 }, () => Buffer.alloc(2 ** 20))))
    })
    const port = await listen(app)
    const reader = connect(port, '127.0.0.1').on('error', () => undefined)
    reader.pause()
    reader.write('GET /large HTTP/1.1\r\nHost: here\r\n\r\n')
    const sip = setInterval(() => reader.read(1), 20)
    expect(await ended.promise).toBe(false)
    clearInterval(sip)
    reader.destroy()
    expect(lines.join('')).toContain('a response was cut: too little was read')
    expect((await fetch(`http://127.0.0.1:${port}/none`)).status).toBe(404)
  })

  it('is closed soon after the time for its headers is up [P18]', async () => {
    const options = createFastifyOptions(pino({ level: 'silent' }), settings)
    const port = await listen(Fastify({ ...options, http: { ...options.http, headersTimeout: 200 } }))
    const slow = connect(port, '127.0.0.1').on('error', () => undefined)
    slow.write('GET / HTTP/1.1\r\nHost: he')
    const [answer] = (await once(slow, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 408/)
    await once(slow, 'close')
  })
})
