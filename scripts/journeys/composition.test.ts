import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { requestOverrides } from './composition.ts'

const page = (overrides?: unknown) =>
  `<script type="application/json" id="dmp-settings">${JSON.stringify({ clientId: 'dmp-web' })}</script><script type="application/json" id="dmp-snapshot">${JSON.stringify({ host: 'h'.repeat(16), remotes: [{ releaseId: 's'.repeat(16), declaration: { name: 'remote-scan', version: '1.4.2' } }], ...(overrides ? { overrides } : {}) })}</script>`

/** A deployment as the journeys' command sees it. */
let server: Server
let address = ''
const asked: { url: string; cookie: string; authorization: string; body: unknown }[] = []
const bodyOf = async (request: IncomingMessage): Promise<string> => Buffer.concat(await request.toArray()).toString()

beforeAll(async () => {
  server = createServer((request, response) => {
    void bodyOf(request).then((text) => {
      const body = text ? (JSON.parse(text) as { email?: string; source?: string }) : undefined
      const cookie = request.headers.cookie ?? ''
      asked.push({ url: request.url ?? '', cookie, authorization: request.headers.authorization ?? '', body })
      if (request.url === '/login')
        return response.end(page(cookie.includes('dmp-overrides=') ? [{ part: 'remote-scan' }] : undefined))
      if (request.url === '/api/account/login')
        return response.end(
          JSON.stringify({ data: { accessToken: body?.email === 'super@dmp.example' ? 'a-token' : null } }),
        )
      if (body?.source === '9.9.9')
        return response.writeHead(404).end(JSON.stringify({ message: 'The release store has no remote-scan@9.9.9.' }))
      return response.setHeader('set-cookie', `__Host-dmp-overrides=${asked.length}; Path=/; HttpOnly`).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => asked.splice(0))

describe('releases put into the journeys’ browsers', () => {
  it('are asked of the server one after the other, each with the cookie of those before', async () => {
    const cookie = await requestOverrides(address, ' scan@1.4.2, remote-user@0123456789abcdef ')
    const adds = asked.filter(({ url }) => url === '/api/Override/add')
    expect(adds.map(({ body }) => body)).toEqual([
      { part: 'remote-scan', source: '1.4.2' },
      { part: 'remote-user', source: '0123456789abcdef' },
    ])
    expect(adds[0]).toMatchObject({ authorization: 'Bearer a-token', cookie: '' })
    expect(adds[1]?.cookie).toMatch(/^__Host-dmp-overrides=\d+$/)
    expect(cookie).toMatch(/^__Host-dmp-overrides=\d+$/)
    expect(cookie).not.toBe(adds[1]?.cookie)
  })

  it('are none where none are wanted', async () => {
    expect(await requestOverrides(address)).toBe('')
    expect(asked).toEqual([])
  })

  it.each([
    ['scan', /"scan" is no release\. Write scan@1\.4\.2/],
    ['scan@9.9.9', /scan@9\.9\.9 was refused: The release store has no remote-scan@9\.9\.9\./],
  ])('that cannot be had (%s) end the run with what is wrong', async (wanted, words) => {
    await expect(requestOverrides(address, wanted)).rejects.toThrow(words)
  })
})
