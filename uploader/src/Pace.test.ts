import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { writeStoreResponse } from '@dmp/dicom'
import { part10Start } from '@dmp/dimse/elementWriter'
import { ctClass, sliceBytes } from './gateway/deviceInTests.ts'
import { Pace } from './Pace.ts'
import { startUploader } from './processesInTests.ts'
import { exitCodes } from './stop.ts'

const day = { kilobytesPerSecond: 100, from: '07:30', to: '18:00' }
const night = { kilobytesPerSecond: 100, from: '22:00', to: '05:00' }
it.each([
  [day, '07:29', undefined],
  [day, '07:30', 100_000],
  [day, '17:59', 100_000],
  [day, '18:00', undefined],
  [night, '21:59', undefined],
  [night, '22:00', 100_000],
  // From a time to the same one there is none: nobody wants to be slow for ever.
  [{ ...day, to: '07:30' }, '07:30', undefined],
  [{ ...day, to: '07:30' }, '12:00', undefined],
  [night, '23:30', 100_000],
  [night, '04:59', 100_000],
  [night, '05:00', undefined],
])('the hours %j at %s leave %s bytes per second [P56]', (slower, time, limit) => {
  const pace = new Pace(slower, () => new Date(`2026-11-26T${time}:00`))
  expect(pace.bytesPerSecond).toBe(limit)
  expect(pace.pieceBytes).toBe(limit === undefined ? Number.POSITIVE_INFINITY : 200_000)
})

it('bytes that travel take their time from those that follow, to the second [P56]', async () => {
  let ms = new Date('2026-11-26T08:00:00').getTime()
  const pace = new Pace(day, () => new Date(ms))
  const leaving = new AbortController()
  const take = () => Promise.race([pace.take(1, leaving.signal).then(() => 'at once'), setImmediate('waits')])
  await pace.take(60_000_000, leaving.signal)
  ms += 599_000
  expect(await take()).toBe('waits')
  leaving.abort()
  ms += 2000
  expect(await take()).toBe('at once')
})

describe('an uploader that is slower by day', () => {
  const fileBytes = 500_000
  let folder: string
  let server: Server
  let pieces: { bytes: number; at: number }[]

  /** Takes a file whole, or in pieces by tus, and counts what each request brings. */
  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'uploader-slower-'))
    pieces = []
    server = createServer((request, response) => {
      const at = Date.now()
      let bytes = 0
      request.on('data', (chunk: Buffer) => (bytes += chunk.length))
      request.on('end', () => {
        if (request.url === '/api/Scan/uploads')
          return response.writeHead(201, { location: '/api/Scan/uploads/1' }).end()
        const isStore = request.method === 'POST' && request.url === '/dicom-web/studies'
        if (!isStore && request.method !== 'PATCH') return response.writeHead(404).end()
        // Before it sends, the uploader asks with nothing whether it may.
        if (bytes < 1000) return response.writeHead(400).end()
        pieces.push({ bytes, at })
        const isWhole = pieces.reduce((sum, piece) => sum + piece.bytes, 0) >= fileBytes
        if (!isWhole) return response.writeHead(204).end()
        const identity = { sopClassUID: ctClass, sopInstanceUID: '1.2.77.1.1', studyUID: '1.2', seriesUID: '1.2.3' }
        response.writeHead(200, { 'content-type': 'application/dicom+json' })
        return response.end(JSON.stringify(writeStoreResponse([{ part: 1, outcome: { kind: 'stored', ...identity } }])))
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(() => {
    server.close()
    server.closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  })

  const clock = (hoursFromNow: number): string =>
    new Date(Date.now() + hoursFromNow * 3_600_000).toTimeString().slice(0, 5)
  /** Sends a file within two hours from now. Returns when it started. */
  async function send(from: number, to: number): Promise<number> {
    const identity = { sopClassUID: ctClass, sopInstanceUID: '1.2.77.1.1', transferSyntaxUID: '1.2.840.10008.1.2.1' }
    const slice = Buffer.concat([part10Start(identity), sliceBytes(1)])
    writeFileSync(path.join(folder, 'a.dcm'), Buffer.concat([slice, Buffer.alloc(fileBytes - slice.length)]))
    const settings = path.join(folder, 'settings.json')
    const slower = { kilobytesPerSecond: 100, from: clock(from), to: clock(to) }
    writeFileSync(settings, JSON.stringify({ slower }), { mode: 0o600 })
    const startedAt = Date.now()
    const words = ['--config', settings, '--state', path.join(folder, 'state'), path.join(folder, 'a.dcm')]
    const { port } = server.address() as AddressInfo
    const running = startUploader(words, folder, {
      HOME: folder,
      UPLOADER_SERVER: `http://127.0.0.1:${port}`,
      UPLOADER_API_TOKEN: `dmp_${'a'.repeat(49)}`,
    })
    expect(await running.end).toEqual({ code: exitCodes.done, said: expect.stringContaining('1 file sent') as string })
    return startedAt
  }

  it('lends the line to others within its hours: in pieces, and no faster than it may [P56]', async () => {
    const startedAt = await send(-6, 6)
    expect(pieces.map(({ bytes }) => bytes)).toEqual([200_000, 200_000, 100_000])
    // What went before the last piece takes four seconds at least at that speed; a clock may round.
    expect(pieces.at(-1)!.at - startedAt).toBeGreaterThan(3950)
  })

  it('sends in one go outside of its hours [P56]', async () => {
    await send(6, 12)
    expect(pieces.map(({ bytes }) => bytes)).toEqual([fileBytes])
  })
})
