import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { writeStoreResponse } from '@dmp/dicom'
import { part10Start } from '@dmp/dimse/elementWriter'
import { ctClass, sliceBytes } from '../gateway/deviceInTests.ts'
import { startUploader } from '../processesInTests.ts'
import { Receiver } from '../receiverInTests.ts'
import type { SeriesRow } from '../SeriesRows.ts'

let folder: string
let running: ReturnType<typeof startUploader>
let receiver: Receiver
let origin: string
let cookie: string

const file = (at: number, study?: string): Buffer =>
  Buffer.concat([
    part10Start({ sopClassUID: ctClass, sopInstanceUID: `1.2.77.1.${at}`, transferSyntaxUID: '1.2.840.10008.1.2.1' }),
    sliceBytes(at, study),
  ])
const put = (name: string, content: Buffer | string): void => writeFileSync(path.join(folder, 'scans', name), content)
async function start(server: string, settings: object = {}): Promise<void> {
  const config = path.join(folder, 'settings.json')
  const usual = { folders: [path.join(folder, 'scans')], lookEverySeconds: 1 }
  writeFileSync(config, JSON.stringify({ ...usual, ...settings }), { mode: 0o600 })
  const words = ['window', '--no-open', '--config', config, '--state', path.join(folder, 'state')]
  running = startUploader(words, folder, {
    HOME: folder,
    UPLOADER_SERVER: server,
    UPLOADER_API_TOKEN: `dmp_${'a'.repeat(49)}`,
  })
  let said = ''
  running.process.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  while (!/token=\S+\n/.test(said)) await wait(50)
  const address = new URL(/http:\S+/.exec(said)?.[0] ?? '')
  origin = address.origin
  const entered = await fetch(address, { redirect: 'manual' })
  cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}
const readRows = async (): Promise<SeriesRow[]> =>
  ((await (await fetch(`${origin}/state`, { headers: { cookie } })).json()) as { series: SeriesRow[] }).series
async function until(isSo: (rows: readonly SeriesRow[]) => boolean): Promise<readonly SeriesRow[]> {
  for (;;) {
    const rows = await readRows()
    if (isSo(rows)) return rows
    await wait(50)
  }
}

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-series-'))
  mkdirSync(path.join(folder, 'scans'))
  receiver = await new Receiver().listen()
})
afterEach(async () => {
  running.process.kill('SIGTERM')
  await running.end
  receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

it('says patient, study, date and series of what is sent, and what of it was refused [P56]', async () => {
  for (const at of [1, 2]) put(`${at}.dcm`, file(at))
  put('3.dcm', file(3, '1.2.78'))
  // Of the second series, one is cut off: while it de-identifies, the uploader refuses it itself.
  put('4.dcm', file(4, '1.2.78').subarray(0, -100))
  put('readme.txt', 'no image')
  await start(receiver.address, { deidentify: true })
  const patient = 'Gateway, Test · GW-1'
  const row = { patient, study: '2026-01-01', name: 'CT', waiting: 0, duplicate: 0, failed: 0 }
  const rows = await until((all) => all.reduce((sum, each) => sum + each.stored + each.refused, 0) === 4)
  expect(rows).toEqual([
    { ...row, stored: 1, refused: 1 },
    { ...row, stored: 2, refused: 0 },
  ])
})

it('says what waits for another try, and forgets that when it is through [P56]', async () => {
  put('1.dcm', file(1))
  let isDown = true
  const server = createServer((request, response) => {
    let bytes = 0
    request.on('data', (chunk: Buffer) => (bytes += chunk.length))
    request.on('end', () => {
      if (request.url !== '/dicom-web/studies' || bytes < 500) return response.writeHead(400).end('{}')
      if (isDown) return response.writeHead(503).end('{}')
      const identity = { sopClassUID: ctClass, sopInstanceUID: '1.2.77.1.1', studyUID: '1.2', seriesUID: '1.2.3' }
      response.writeHead(200, { 'content-type': 'application/dicom+json' })
      return response.end(JSON.stringify(writeStoreResponse([{ part: 1, outcome: { kind: 'stored', ...identity } }])))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address() as { port: number }
  await start(`http://127.0.0.1:${address.port}`)
  expect(await until((all) => all[0]?.failed === 1)).toMatchObject([{ waiting: 1, stored: 0 }])
  isDown = false
  expect(await until((all) => all[0]?.stored === 1)).toMatchObject([{ waiting: 0, failed: 0 }])
  server.close()
  server.closeAllConnections()
})
