import { get } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import { createRequestTurns, type RequestTurns } from './requestTurns.ts'

let app: FastifyInstance
let working: string[]
let goOn: () => void

/** Work that goes on until somebody says so. */
function open(turns: RequestTurns): void {
  working = []
  const { promise, resolve } = Promise.withResolvers<void>()
  goOn = resolve
  app = Fastify()
  app.addHook('onRequest', async (request, reply) => {
    const person = String(request.headers['x-person'])
    await turns.wait({ customer: person.slice(0, 5), person }, reply)
  })
  app.get('/', async (request) => {
    working.push(String(request.headers['x-person']))
    await promise
    return 'done'
  })
}
afterEach(() => app.close())

const ask = (person: string, times: number) =>
  Array.from({ length: times }, async () => {
    const { statusCode } = await app.inject({ url: '/', headers: { 'x-person': person } })
    return statusCode
  })
const settle = (): Promise<void> => new Promise((over) => setTimeout(over, 50))
const countOf = (person: string): number => working.filter((each) => each === person).length

describe('many requests at once [P18]', () => {
  it('of one person begin in turns, while those of others begin at once; all are answered [P18]', async () => {
    open(createRequestTurns(60_000))
    const flood = ask('northAnna', 200)
    await settle()
    expect(countOf('northAnna')).toBe(8)
    const others = [...ask('northBert', 1), ...ask('southCarl', 1)]
    await settle()
    expect([countOf('northAnna'), countOf('northBert'), countOf('southCarl')]).toEqual([8, 1, 1])
    goOn()
    expect(new Set(await Promise.all([...flood, ...others]))).toEqual(new Set([200]))
    expect(working).toHaveLength(202)
  })

  it('of one person are three at a time beside others, who feel those only [P18]', async () => {
    open(createRequestTurns(60_000))
    const other = ask('southCarl', 1)
    await settle()
    const flood = ask('northAnna', 200)
    await settle()
    expect([countOf('northAnna'), countOf('southCarl')]).toEqual([3, 1])
    goOn()
    expect(new Set(await Promise.all([...flood, ...other]))).toEqual(new Set([200]))
  })

  it('do not wait for those that take long: such a request gives its turn back [P18]', async () => {
    open(createRequestTurns(20))
    const flood = ask('northAnna', 40)
    while (working.length < 40) await settle()
    goOn()
    expect(new Set(await Promise.all(flood))).toEqual(new Set([200]))
  })

  it('whose senders went away while they waited keep nobody waiting [P18]', async () => {
    // Longer than a test may take.
    open(createRequestTurns(600_000))
    const url = await app.listen()
    const headers = { 'x-person': 'northAnna' }
    const first = ask('northAnna', 8)
    await settle()
    const leaving = Array.from({ length: 8 }, () => get(url, { headers, agent: false }).on('error', () => undefined))
    await settle()
    for (const request of leaving) request.destroy()
    await settle()
    goOn()
    expect(await Promise.all([...first, ...ask('northAnna', 8)])).toEqual(Array(16).fill(200))
  })

  it('are refused where a thousand of one person wait already, and nobody else’s are [P18]', async () => {
    open(createRequestTurns(60_000))
    const flood = ask('northAnna', 1_009)
    await settle()
    const other = ask('southCarl', 1)
    goOn()
    const statuses = await Promise.all(flood)
    expect([statuses.filter((status) => status === 503).length, await other[0]]).toEqual([1, 200])
  })
})
