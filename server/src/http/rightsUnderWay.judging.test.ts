import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { fastify, type FastifyInstance } from 'fastify'
import { Refusal } from '../core/errors.ts'
import type { News } from '../db/bus.ts'
import { registerRightsUnderWay } from './rightsUnderWay.ts'

let app: FastifyInstance
let tell: (news: News) => void
/** What is answered to the question whether the right goes on. */
let answers: (() => Promise<boolean>)[]
let asked: number
beforeEach(async () => {
  asked = 0
  app = fastify()
  registerRightsUnderWay(app, { subscribe: (listener) => ((tell = listener), () => undefined) })
  app.get('/endless', (request, reply) => {
    request.standOn?.({
      isAbout: ({ kind }) => kind === 'viewersChanged',
      goesOn: () => {
        asked += 1
        return (answers.shift() ?? (() => Promise.resolve(true)))()
      },
    })
    reply.hijack()
    reply.raw.writeHead(200).write('begun')
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
})
const lines: Socket[] = []
afterEach(async () => {
  for (const line of lines.splice(0)) line.destroy()
  await app.close()
})

async function begin(): Promise<{ line: Socket; isCut: () => boolean }> {
  const line = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  lines.push(line)
  let isOver = false
  line.on('error', () => undefined).on('close', () => (isOver = true))
  line.write('GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(line, 'data')
  return { line, isCut: () => isOver }
}
const about: News = { kind: 'viewersChanged', userIds: [] }
const soon = () => new Promise((over) => setTimeout(over, 200))
const refuse = (status: number) => () => Promise.reject(new Refusal(status, 'NOT_ALLOWED', 'No.'))

describe('a request that is under way [P11]', () => {
  it.each([
    ['that its right is over', () => Promise.resolve(false)],
    ['with what refuses new requests', refuse(403)],
  ])('is cut where the answer is %s', async (_what, answer) => {
    answers = [answer]
    const { isCut } = await begin()
    tell({ kind: 'inboxChanged', userId: null, organizationId: null })
    await soon()
    expect([asked, isCut()]).toEqual([0, false])
    tell(about)
    await soon()
    expect([asked, isCut()]).toEqual([1, true])
  })

  it('goes on while nobody can say, and is asked about again', async () => {
    answers = [refuse(503), () => Promise.reject(new Error('The database is away.')), () => Promise.resolve(false)]
    const { isCut } = await begin()
    tell(about)
    await soon()
    expect([asked, isCut()]).toEqual([1, false])
    for (let tries = 0; tries < 100 && !isCut(); tries += 1) await soon()
    expect([asked, isCut()]).toEqual([3, true])
  })

  it('is not asked about once it is over', async () => {
    answers = []
    const { line } = await begin()
    line.destroy()
    await soon()
    tell({ kind: 'missed' })
    await soon()
    expect(asked).toBe(0)
  })
})
