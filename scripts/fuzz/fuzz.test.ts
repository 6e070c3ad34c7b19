import { createServer, type Server } from 'node:http'
import { makeCase, playBatch } from './fuzz.ts'
import { listCases } from './FuzzCase.ts'
import { FuzzedServer } from './FuzzedServer.ts'
import { playCase } from './playCase.ts'
import { targets } from './targets/index.ts'

const names = Object.keys(targets)

it.each(names)('makes the same case of %s for the same seed, and another one for another', (name) => {
  const [first, again, other] = [makeCase(name, 'a', 1), makeCase(name, 'a', 1), makeCase(name, 'b', 1)]
  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
})

describe('a server that breaks what is asked of it', () => {
  let server: Server
  let url = ''
  beforeAll(async () => {
    server = createServer((request, response) => {
      const status = Number(/^\/(\d{3})$/.exec(request.url ?? '')?.[1] ?? 401)
      response.writeHead(status, status === 503 && request.method === 'HEAD' ? { 'retry-after': '1' } : {}).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const play = async (method: string, path: string, status?: number) =>
    (
      await playCase(
        { url, token: 'x' },
        { target: 'x', steps: [{ method, path, headers: {}, ...(status !== undefined && { status }) }] },
      )
    ).problems

  it('is found out by an error of its own, a busy answer without a time, and a door that is open', async () => {
    expect(await play('GET', '/500')).toEqual(['GET /500 was answered with 500'])
    expect(await play('GET', '/503')).toEqual(['GET /503 was answered with 503 without Retry-After'])
    expect(await play('GET', '/200', 401)).toEqual(['GET /200 was answered with 200 instead of 401'])
    expect(await play('HEAD', '/503')).toEqual([])
    expect(await play('GET', '/404')).toEqual([])
  })

  it('keeps the cases of a batch together when only the server as a whole shows what is wrong', async () => {
    const cases = [0, 1].map((number) => makeCase('jwt', 'a', number))
    const found = await playBatch({ url, token: 'x', findProblems: async () => ['it takes 9 GB of memory'] }, cases)
    const last = found.at(-1)
    expect([last?.problem, last?.fuzzCase.steps]).toEqual([
      'it takes 9 GB of memory',
      cases.flatMap(({ steps }) => steps),
    ])
  })
})

describe('what was found once', () => {
  let server: FuzzedServer
  beforeAll(async () => {
    server = await FuzzedServer.start()
  })
  afterAll(() => server.stop())

  it.each(listCases())('does not happen again: $name [P12]', async ({ fuzzCase }) => {
    if (!server.isAlive) server = await FuzzedServer.start()
    expect((await playBatch(server, [fuzzCase])).map(({ problem }) => problem)).toEqual([])
  })

  it('finds no fault in one case of each target [P12]', async () => {
    await server.signIn()
    const cases = names.map((name) => makeCase(name, 'tests', 0))
    expect((await playBatch(server, cases)).map(({ problem }) => problem)).toEqual([])
  })

  it('notices that the process has ended', async () => {
    await server.stop()
    expect(await server.findProblems()).toEqual(['the process ended with SIGKILL'])
  })
})
