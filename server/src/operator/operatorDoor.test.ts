import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Dependencies } from '../dependencies.ts'
import { doorFile, proofHeader, proofOf, registerOperatorDoor } from './operatorDoor.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'dmp-door-'))
const logged: string[] = []
const log = { error: (_facts: object, sentence: string) => void logged.push(sentence) }
let app: FastifyInstance
let door: { port: number; key: string }
beforeAll(async () => {
  app = Fastify()
  await registerOperatorDoor(app, { settings: { dataDir }, log } as unknown as Dependencies).open()
  door = JSON.parse(readFileSync(doorFile(dataDir), 'utf8')) as { port: number; key: string }
})
afterAll(async () => {
  await app.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function open(): Promise<Socket> {
  const line = connect(door.port, '127.0.0.1')
  await once(line, 'connect')
  return line
}
const ask = async (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${door.port}${path}`, { ...init, headers: { connection: 'close', ...init.headers } })

describe('the door of the machine [P18, P61]', () => {
  it('keeps 32 lines of strangers, of which the oldest give way, and no command out', async () => {
    const closed: number[] = []
    const lines: Socket[] = []
    for (let number = 0; number < 40; number += 1) {
      const line = await open()
      line.on('error', () => undefined).on('close', () => closed.push(number))
      lines.push(line)
    }
    while (closed.length < 8) await new Promise((later) => setTimeout(later, 10))
    expect(closed.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    const proof = await ask(`/proof?challenge=${'a'.repeat(43)}`)
    expect([proof.status, proof.headers.get(proofHeader)]).toEqual([204, expect.stringMatching(/^[\w-]{43}$/)])
    for (const line of lines) line.destroy()
  })

  it('does not count a command whose key it was shown', async () => {
    const own = await open()
    const closed = jest.fn()
    own.on('close', closed)
    own.write(`GET /none HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${door.key}\r\n\r\n`)
    await once(own, 'data')
    const lines = await Promise.all(Array.from({ length: 40 }, open))
    for (const line of lines) line.on('error', () => undefined)
    own.write(`GET /none HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${door.key}\r\n\r\n`)
    const [said] = (await once(own, 'data')) as [Buffer]
    expect([said.toString().slice(0, 12), closed.mock.calls]).toEqual(['HTTP/1.1 404', []])
    for (const line of [own, ...lines]) line.destroy()
  })

  it('knows nobody without its key, no other command, and no other way to ask', async () => {
    const authorization = `Bearer ${door.key}`
    const statusOf = async (path: string, init: RequestInit) => (await ask(path, init)).status
    const asked: [string, RequestInit][] = [
      ['/ingest', { method: 'POST', body: '{}' }],
      ['/ingest', { method: 'POST', body: '{}', headers: { authorization: `Bearer ${door.key}x` } }],
      ['/ingest', { method: 'POST', body: '{}', headers: { authorization: door.key } }],
      ['/ingest', { method: 'GET', headers: { authorization } }],
      ['/constructor', { method: 'POST', body: '{}', headers: { authorization } }],
      ['/ingest/x', { method: 'POST', body: '{}', headers: { authorization } }],
      [`/proof?challenge=${'a'.repeat(43)}`, { method: 'POST', body: '{}' }],
      [`/proof?challenge=${'a'.repeat(42)}`, { method: 'GET' }],
    ]
    for (const [path, init] of asked) expect([path, await statusOf(path, init)]).toEqual([path, 404])
  })

  it('proves who it is by what stands in its file alone', async () => {
    const challenge = 'b'.repeat(43)
    const proof = (await ask(`/proof?challenge=${challenge}`)).headers.get(proofHeader)
    expect(proof).toBe(proofOf(door.key, door.port, challenge))
    expect([proofOf('other', door.port, challenge), proofOf(door.key, door.port + 1, challenge)]).not.toContain(proof)
  })

  it('says why a command failed: to whoever gave it, and in the log where it is no mistake of theirs', async () => {
    const command = async (body: string) => {
      logged.length = 0
      const init = { method: 'POST', body, headers: { authorization: `Bearer ${door.key}` } }
      const text = await (await ask('/ingest', init)).text()
      return { said: JSON.parse(text) as unknown, logged: [...logged] }
    }
    const reason = expect.stringMatching(/^The command failed: .+/) as unknown
    for (const wrong of ['{', '{"folder": 7}', ' '.repeat(65_536)])
      expect(await command(wrong)).toEqual({ said: { failure: [reason] }, logged: ['the command ingest failed'] })
    expect(await command(' '.repeat(65_537))).toEqual({ said: { failure: ['The command is too long.'] }, logged: [] })
  })
})
