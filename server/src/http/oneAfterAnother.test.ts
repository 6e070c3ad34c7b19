import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { registerOneAfterAnother } from './oneAfterAnother.ts'

let app: FastifyInstance
let begun: string[]
/** The server's ends. */
let lines: Socket[]
/** Answers the request of this name. */
let answers: Map<string, () => void>

beforeEach(async () => {
  begun = []
  lines = []
  answers = new Map()
  app = Fastify()
  registerOneAfterAnother(app)
  app.get<{ Params: { name: string } }>('/:name', async ({ params: { name } }) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    answers.set(name, resolve)
    begun.push(name)
    app.server.emit(`begun ${name}`)
    await promise
    return name
  })
  app.server.on('connection', (line: Socket) => void lines.push(line))
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(() => app.close())

async function open(names: readonly string[]): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(names.map((name) => `GET /${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''))
  return socket
}
const begins = async (name: string): Promise<void> => {
  if (!begun.includes(name)) await once(app.server, `begun ${name}`)
}

describe('requests that come on one line before the ones before them are answered [P18]', () => {
  it('begin one after the other, and are answered in their order', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `n${index}`)
    const socket = await open(names)
    let said = ''
    socket.on('data', (bytes: Buffer) => {
      said += bytes.toString()
    })
    for (const [index, name] of names.entries()) {
      await begins(name)
      expect(begun).toHaveLength(index + 1)
      answers.get(name)?.()
    }
    while (!said.endsWith('n199')) await once(socket, 'data')
    expect(said.match(/^n\d+/gm)).toEqual(names)
    socket.destroy()
  })

  it('hold up nobody on another line, and never begin once their own is closed', async () => {
    const flood = await open(['first', 'second', 'third'])
    await begins('first')
    const other = await open(['other'])
    await begins('other')
    const [line] = lines
    flood.destroy()
    if (line && !line.closed) await once(line, 'close')
    answers.get('first')?.()
    answers.get('other')?.()
    await once(other, 'data')
    const last = await open(['last'])
    await begins('last')
    answers.get('last')?.()
    await once(last, 'data')
    expect(begun).toEqual(['first', 'other', 'last'])
    other.destroy()
    last.destroy()
  })
})
