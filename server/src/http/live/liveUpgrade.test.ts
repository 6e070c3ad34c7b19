import { randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'
import { openLive } from '../../testing/live.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let url: string
const apps = 'https://apps.example.org'

beforeAll(async () => {
  server = await startServer({ DMP_APP_ORIGINS: apps })
  url = await server.listen()
})
afterAll(() => server.close())

const connect = (query: Record<string, string>, headers: Record<string, string> = {}) => openLive(url, query, headers)

describe('before the upgrade', () => {
  it.each([
    ['null', 'null'],
    ['a lookalike', `${apps}.evil.example`],
    ['another scheme', apps.replace('https', 'http')],
    ['another port', `${apps}:8443`],
    ['a subdomain', 'https://x.apps.example.org'],
    ['no origin at all', 'apps.example.org'],
    ['a local file', 'file://'],
  ])('refuses %s as origin, for pages and apps [P11]', async (_what, origin) => {
    for (const clientId of ['dmp-web', 'dmp-addon'])
      await expect(connect({ sessionId: randomUUID(), clientId }, { origin })).rejects.toThrow('refused with 403')
  })

  it.each([
    ['none', {}],
    ['an empty one', { clientId: '' }],
    ['another case', { clientId: 'DMP-WEB' }],
    ['more than one name', { clientId: 'dmp-web dmp-addon' }],
    ['a key of every object', { clientId: '__proto__' }],
  ])('refuses %s as client id [P11]', async (_what, query) => {
    await expect(connect({ sessionId: randomUUID(), ...query })).rejects.toThrow('refused with 403')
  })

  it.each(['/', '/scan/list', '/scan/detail/a/b', '/dicom-web/studies', '/api/account/profile', '/nowhere', '/live/x'])(
    'refuses to upgrade %s, and logs no address [P11, P23]',
    async (path) => {
      const logLength = server.logs.length
      const socket = new WebSocket(`${url.replace('http', 'ws')}${path}?secret=hidden-in-the-query`)
      const status = await new Promise((resolve) => {
        socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
        socket.on('open', () => resolve('open'))
        socket.on('error', () => resolve('error'))
      })
      expect(status).toBe(400)
      expect(server.logs.slice(logLength).join('')).not.toContain('hidden-in-the-query')
    },
  )

  it('answers a plain request with words, not with a channel [P11]', async () => {
    expect((await fetch(`${url}/live?clientId=dmp-web&sessionId=${randomUUID()}`)).status).toBe(426)
  })
})

describe('a line that fails', () => {
  it('because of a frame without end is closed, without an error of ours in the log [P11]', async () => {
    const channel = await connect({ sessionId: randomUUID(), clientId: 'dmp-web' })
    channel.sendRaw('x'.repeat(9000))
    expect((await channel.closed).code).toBe(1009)
    expect(server.logs.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
  })

  it.each([
    ['the address', (accessToken: string) => connect({ sessionId: randomUUID(), clientId: 'dmp-web', accessToken })],
    [
      'the first message',
      async (accessToken: string) => {
        const channel = await connect({ sessionId: randomUUID(), clientId: 'dmp-web' })
        channel.send({ type: 'renewToken', accessToken })
        return channel
      },
    ],
  ])('is closed alone, with its token in %s, and keeps nobody else waiting [P11, P18]', async (_where, open) => {
    const away = jest.spyOn(server.deps.viewers, 'of').mockRejectedValue(new Error('the database is away'))
    const unheard = jest.fn()
    process.on('unhandledRejection', unheard)
    try {
      const channel = await open('a token')
      expect((await channel.closed).code).toBe(1011)
      expect(unheard).not.toHaveBeenCalled()
    } finally {
      process.off('unhandledRejection', unheard)
      away.mockRestore()
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })
})
