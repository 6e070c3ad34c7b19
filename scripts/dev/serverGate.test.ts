import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../journeys/demoServer.ts'
import { ServerGate } from './serverGate.ts'

const gates: ServerGate[] = []
const servers: Server[] = []
afterEach(() => {
  for (const gate of gates.splice(0)) gate.close()
  for (const server of servers.splice(0)) server.close()
})

async function openGate(options?: ConstructorParameters<typeof ServerGate>[0]) {
  const gate = new ServerGate(options)
  const port = await freePort()
  await gate.listen(port)
  gates.push(gate)
  return { gate, port }
}

/** Says its name and what it was sent. */
async function startServer(name: string): Promise<number> {
  const server = createServer((request, response) => {
    let sent = ''
    request.on('data', (text: Buffer) => (sent += text.toString()))
    request.on('end', () => response.end(name + sent))
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Sends a request with a body through the gate; an answer that never comes is what its line was ended with. */
const send = (port: number, body: string): Promise<string> =>
  new Promise((resolve) => {
    const sending = request({ port, host: '127.0.0.1', agent: false, method: 'POST' }, (response) => {
      let said = ''
      response.on('data', (text: Buffer) => (said += text.toString()))
      response.on('end', () => resolve(said))
    })
    sending.on('error', ({ message }) => resolve(message))
    sending.end(body)
  })

describe('the gate before the server of npm run dev', () => {
  it('holds requests and their bodies until there is a server', async () => {
    const { gate, port } = await openGate()
    const body = 'x'.repeat(300_000)
    const answers = Promise.all([send(port, 'a'), send(port, body)])
    expect(await Promise.race([answers, pause(50, 'still held')])).toBe('still held')
    gate.open(await startServer('one'))
    expect(await answers).toEqual(['onea', `one${body}`])
  })

  it('leads a line that was open before an edit to the server after it', async () => {
    const { gate, port } = await openGate()
    gate.open(await startServer('one'))
    const early = connect(port, '127.0.0.1')
    await once(early, 'connect')
    expect(await send(port, '')).toBe('one')
    gate.hold()
    early.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    await pause(50)
    gate.open(await startServer('two'))
    const [answer] = (await once(early, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/two$/)
  })

  it('lets a request end that was under way when the next had to wait', async () => {
    const { gate, port } = await openGate()
    gate.open(await startServer('one'))
    const slow = request({ port, host: '127.0.0.1', agent: false, method: 'POST' })
    slow.write('begun ')
    await once(slow, 'socket')
    await pause(50)
    gate.hold()
    slow.end('and ended')
    const [response] = (await once(slow, 'response')) as [NodeJS.ReadableStream]
    expect(String((await once(response, 'data'))[0])).toBe('onebegun and ended')
  })

  it('holds no more than it may, and none for longer than it may', async () => {
    const { gate, port } = await openGate({ most: 1, milliseconds: 200 })
    const first = send(port, '')
    await pause(50)
    expect(await send(port, '')).toBe('socket hang up')
    expect(await first).toBe('socket hang up')
    // Started before: on a busy machine it takes longer than a line is held.
    const server = await startServer('one')
    const third = send(port, '')
    await pause(50)
    gate.open(server)
    expect(await third).toBe('one')
  })

  it('lets nobody wait for a server that does not come', async () => {
    const { gate, port } = await openGate()
    const held = send(port, '')
    await pause(50)
    gate.refuse()
    expect(await held).toBe('socket hang up')
  })

  it('ends the line to a server whose caller is gone, and that of a caller whose server is', async () => {
    const { gate, port } = await openGate()
    const silent = createServer(() => undefined)
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    gate.open((silent.address() as AddressInfo).port)
    const caller = request({ port, host: '127.0.0.1', agent: false })
    caller.on('error', () => undefined)
    const asked = once(silent, 'request')
    caller.end()
    const [{ socket }] = (await asked) as [{ socket: NodeJS.EventEmitter }]
    caller.destroy()
    await once(socket, 'close')
    const left = send(port, '')
    await once(silent, 'request')
    silent.closeAllConnections()
    expect(await left).toBe('socket hang up')
    silent.close()
  })
})
