import { mkdtempSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lookForUpdate, startBeside, type Beside } from './beside.ts'
import { Control } from './Control.ts'
import { Log } from './log.ts'
import type { Entry } from './Session.ts'

interface Asked {
  readonly url: string | undefined
  readonly authorization: string | undefined
  readonly body: Record<string, unknown>
}

const dayMs = 86_400_000
let server: Server
let asked: Asked[]
let rejected: string[]
/** What the server answers to the report of a station. */
let answer: { status: number; body: object }
/** What it says of uploaders. */
let offer: { status: number; body: object }
let about: Beside
const told = {
  organization: 'North-Clinic',
  product: '1.1.0',
  offered: null,
  oldest: '1.0.0',
  tokenExpiresDate: new Date(Date.now() + 30 * dayMs).toISOString(),
}

beforeEach(async () => {
  ;[asked, rejected, answer] = [[], [], { status: 200, body: { data: told } }]
  offer = { status: 200, body: { product: '1.1.0', oldest: '1.0.0', offered: null } }
  server = createServer((request, response) => {
    let text = ''
    request.on('data', (piece: Buffer) => (text += piece.toString()))
    request.on('end', () => {
      const { url, headers } = request
      asked.push({ url, authorization: headers.authorization, body: JSON.parse(text || '{}') as Asked['body'] })
      const { status, body } = url?.startsWith('/downloads/') ? offer : answer
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const stateFolder = mkdtempSync(path.join(tmpdir(), 'dmp-beside-'))
  const settings = { stateFolder, name: 'CT room 2', isUpdating: true } as Beside['settings']
  const { port } = server.address() as AddressInfo
  about = { server: new URL(`http://127.0.0.1:${port}`), settings, control: new Control(), keys: ['none'] }
})
afterEach(() => new Promise((done) => void server.close(done)))

const session: Entry = {
  name: 'CT room 2',
  token: async () => 'a-token',
  ready: async () => ({ kind: 'ready', token: 'a-token' }),
  reject: (token) => rejected.push(token),
  signOut: async () => undefined,
}
const tell = async (log = new Log(undefined)): Promise<Asked | undefined> => {
  asked = []
  ;(await startBeside(about, session, log))()
  return asked.find(({ url }) => url === '/api/Station/tell')
}
const file = (at: number) => ({ path: `/nowhere/${at}`, size: 10 + at, modifiedMs: 0 })

it('tells the server of each thing how many there are, by the word for it [P56]', async () => {
  const { progress } = about.control
  progress.begin()
  for (let at = 0; at < 15; at += 1) progress.found(file(at))
  const outcomes = { stored: 5, duplicate: 3, refused: 2, 'not-dicom': 1 } as const
  const all = Object.entries(outcomes).flatMap(([outcome, count]) => Array.from({ length: count }, () => outcome))
  for (const [at, outcome] of all.entries()) progress.settled(file(at), outcome as keyof typeof outcomes)
  progress.putOff(file(14), { reason: 'The server has too much to do.' })
  const report = await tell()
  expect(report?.authorization).toBe('Bearer a-token')
  expect(report?.body).toMatchObject({
    name: 'CT room 2',
    waiting: 4,
    waitingBytes: 21 + 22 + 23 + 24,
    sent: 5,
    refused: 2,
    failed: 1,
    isPaused: false,
  })
  expect(JSON.stringify(report?.body)).not.toContain('nowhere')
})

it('says so where the token is good no longer: the next look asks anew', async () => {
  answer = { status: 401, body: { code: 'NOT_SIGNED_IN', message: 'No.' } }
  await tell()
  expect(rejected).toEqual(['a-token'])
  expect(about.control.told).toBeUndefined()
})

it('warns once a day of a token that ends soon, with the day', async () => {
  const ends = new Date(Date.now() + 2.5 * dayMs).toISOString()
  answer = { status: 200, body: { data: { ...told, tokenExpiresDate: ends } } }
  const log = new Log(undefined)
  const said = jest.spyOn(log, 'say').mockImplementation(() => undefined)
  for (let times = 0; times < 3; times += 1) await tell(log)
  expect(said.mock.calls.flat().filter((sentence) => sentence.includes('API token ends'))).toEqual([
    expect.stringContaining(`ends in 2 days (${ends.slice(0, 10)})`),
  ])
})

it('does not go on saying that an update failed when the next look finds nothing wrong [P56]', async () => {
  const log = new Log(undefined)
  jest.spyOn(log, 'say').mockImplementation(() => undefined)
  about.control.update = 'The newer uploader could not be kept: disk full'
  await lookForUpdate(about, log)
  expect(about.control.update).toBeUndefined()
})
