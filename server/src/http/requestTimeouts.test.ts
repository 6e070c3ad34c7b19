import { connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { registerRequestTimeouts } from './requestTimeouts.ts'

let app: FastifyInstance
let port: number

beforeAll(async () => {
  app = Fastify()
  // A busy machine is silent for a while, too, between two pieces of whoever goes on.
  registerRequestTimeouts(app, { callMs: 300, silenceMs: 1_500, lingerMs: 3_000 })
  app.addContentTypeParser('application/dicom', (_request, body, done) => done(null, body))
  app.post('/api/call', async () => 'done')
  const counted = async (request: { readonly body: unknown }) => {
    let bytes = 0
    for await (const chunk of request.body as AsyncIterable<Buffer>) bytes += chunk.length
    return { bytes }
  }
  app.post('/dicom-web/studies', counted)
  app.patch('/api/Scan/uploads/:id', counted)
  app.post('/dicom-web/studies/refused', (_request, reply) =>
    reply.code(507).header('connection', 'close').send('no room'),
  )
  app.patch('/api/Scan/uploads/refused', (_request, reply) => reply.code(507).send('no room'))
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as { port: number }).port
})
afterAll(() => app.close())

/** Sends a body of six bytes, one each `pauseMs`, and stops after `bytes`. */
function send(path: string, type: string, pauseMs: number, bytes = 6, method = 'POST'): Promise<{ answer: string }> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString()
      if (answer.includes('200 OK')) socket.end()
    })
    socket.on('close', () => resolve({ answer }))
    socket.on('error', () => undefined)
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: here\r\nContent-Type: ${type}\r\nContent-Length: 6\r\n\r\n`)
    let sent = 0
    const timer = setInterval(() => {
      if (sent === bytes || socket.destroyed) return clearInterval(timer)
      socket.write('"1234"'.charAt(sent))
      sent += 1
    }, pauseMs)
  })
}

describe('how long a body may take [P18]', () => {
  it('gives a call that trickles in up after its time, with 408 [P18]', async () => {
    const { answer } = await send('/api/call', 'application/json', 100)
    expect(answer).toMatch(/^HTTP\/1\.1 408/)
  })
  it('lets an upload take as long as something arrives [P18]', async () => {
    const [whole, piece] = await Promise.all([
      send('/dicom-web/studies', 'application/dicom', 400),
      send('/api/Scan/uploads/1', 'application/dicom', 400, 6, 'PATCH'),
    ])
    expect([whole.answer, piece.answer]).toEqual([
      expect.stringContaining('{"bytes":6}'),
      expect.stringContaining('{"bytes":6}'),
    ])
  })
  it('gives an upload up that fell silent [P18]', async () => {
    const { answer } = await send('/dicom-web/studies', 'application/dicom', 50, 3)
    // Node closes a silent connection by itself, without a word: nobody is listening.
    expect(answer).toBe('')
  })
  it.each([
    ['POST', '/dicom-web/studies/refused'],
    ['PATCH', '/api/Scan/uploads/refused'],
  ])('lets its refusal arrive at who still sends: %s [P18]', async (method, path) => {
    const bytes = 16 * 2 ** 20
    const head = ['Host: here', 'Content-Type: application/dicom', `Content-Length: ${bytes}`]
    const socket = connect({ port, host: '127.0.0.1' }).pause()
    const failures: string[] = []
    socket.on('error', (error: NodeJS.ErrnoException) => failures.push(error.code ?? error.name))
    const write = (piece: string | Buffer) => new Promise<unknown>((resolve) => socket.write(piece, resolve))
    await write([`${method} ${path} HTTP/1.1`, ...head, '', ''].join('\r\n'))
    await write(Buffer.alloc(2 ** 20))
    await new Promise((resolve) => setTimeout(resolve, 100))
    // A sender that listens once it has said everything, which never happens: one byte is missing.
    await write(Buffer.alloc(bytes - 2 ** 20 - 1))
    expect(failures).toEqual([])
    let answer = ''
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString())).resume()
    await new Promise((resolve) => socket.on('close', resolve))
    expect(answer).toMatch(/^HTTP\/1\.1 507 [^]*no room$/)
  })
  it('does not touch calls in time', async () => {
    expect((await send('/api/call', 'application/json', 5)).answer).toContain('200 OK')
  })
})
