import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { writeStoreResponse } from '@dmp/dicom'
import { part10Start } from '@dmp/dimse/elementWriter'
import { ctClass, freePort, sliceBytes } from '../gateway/deviceInTests.ts'
import { openUploaderWindow, type OpenedWindow } from './windowInTests.ts'

const file = (at: number) =>
  Uint8Array.from(
    Buffer.concat([
      part10Start({ sopClassUID: ctClass, sopInstanceUID: `1.2.77.1.${at}`, transferSyntaxUID: '1.2.840.10008.1.2.1' }),
      sliceBytes(at),
    ]),
  )
const refusal = 'The pixel data are shorter than rows, columns and frames need.'

let folder: string
let server: Server
let window: OpenedWindow
/** Holds the answers to what is sent until it resolves. */
let gate: Promise<void>
let isRefusing: boolean
let reports: object[]
/** What arrived and waits for its answer or has got it. */
let arrived: number

function answer({ url }: IncomingMessage, body: Buffer, response: ServerResponse): void | Promise<void> {
  const json = (status: number, value: object, type = 'application/json'): void =>
    void response.writeHead(status, { 'content-type': type }).end(JSON.stringify(value))
  if (url === '/api/Station/tell') {
    const report = JSON.parse(body.toString()) as object
    reports.push(report)
    // As a server of before, which does not know the word.
    if ('isDeidentifying' in report) return json(400, { code: 'INVALID', message: 'Unknown property.' })
    return json(200, { data: { organization: 'North', product: 'v1.0.0', offered: null, oldest: '1.0.0' } })
  }
  if (url !== '/dicom-web/studies' || body.length < 500) return json(400, {})
  const identity = { sopClassUID: ctClass, sopInstanceUID: '1.2.77.1.1', studyUID: '1.2', seriesUID: '1.2.3' }
  const outcome = isRefusing
    ? ({ kind: 'refused', reason: 'PIXEL_DATA', sentence: refusal, failureCode: 0xa900 } as const)
    : ({ kind: 'stored', ...identity } as const)
  arrived += 1
  return gate.then(() =>
    json(isRefusing ? 409 : 200, writeStoreResponse([{ part: 1, outcome }]), 'application/dicom+json'),
  )
}

async function open(settings: object): Promise<OpenedWindow> {
  const config = path.join(folder, 'settings.json')
  writeFileSync(config, JSON.stringify({ update: false, ...settings }), { mode: 0o600 })
  const { port } = server.address() as AddressInfo
  return openUploaderWindow(folder, ['--config', config, '--state', path.join(folder, 'state')], {
    UPLOADER_SERVER: `http://127.0.0.1:${port}`,
    UPLOADER_API_TOKEN: `dmp_${'a'.repeat(49)}`,
  })
}

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-restart-'))
  ;[gate, isRefusing, reports, arrived] = [Promise.resolve(), false, [], 0]
  server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => void answer(request, Buffer.concat(pieces), response))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})
afterEach(async () => {
  await window.stop()
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})

describe('the window of the uploader', () => {
  it('is as paused after a restart as before, until somebody goes on [P56]', async () => {
    for (const isPaused of [true, false]) {
      window = await open({})
      await window.act('pause', { isPaused })
      await window.stop()
      window = await open({})
      expect((await window.state()).isPaused).toBe(isPaused)
      if (isPaused) await window.stop()
    }
  })

  it('keeps each thing that somebody decides, and that they take it back [P56]', async () => {
    window = await open({})
    const gateway = { aeTitle: 'DMP_GATEWAY', port: await freePort(), partners: [] }
    const slower = { kilobytesPerSecond: 500, from: '07:00', to: '18:00' }
    const [on, off] = [
      { folders: { folders: [folder] }, slower: { slower }, deidentify: { isOn: true }, gateway: { gateway } },
      { folders: { folders: [] }, slower: { slower: null }, deidentify: { isOn: false }, gateway: { gateway: null } },
    ]
    // What it shows then is compared with its settings file by `act`.
    for (const [name, body] of [on, off].flatMap((all) => Object.entries(all)))
      expect((await window.act(name, body)).status).toBe(200)
    const { folders, slower: isSlower, isDeidentifying, gateway: devices } = await window.state()
    expect([folders, isSlower, isDeidentifying, devices?.settings]).toEqual([[], undefined, false, undefined])
  })

  it('shows after a restart what was refused and still lies in a watched folder, with the reason [P56]', async () => {
    const scans = path.join(folder, 'scans')
    mkdirSync(scans)
    writeFileSync(path.join(scans, '1.dcm'), file(1))
    isRefusing = true
    window = await open({ folders: [scans], lookEverySeconds: 1 })
    await window.until(({ failures }) => failures.length === 1)
    await window.stop()
    window = await open({ folders: [scans], lookEverySeconds: 1 })
    const { failures, counts } = await window.until((state) => state.failures.length === 1)
    expect(failures).toMatchObject([{ path: path.join(scans, '1.dcm'), reason: refusal, isFinal: true }])
    expect([counts.refused, arrived]).toEqual([1, 1])
  })

  it('sends what is dropped while it sends something else, and says meanwhile that it waits [P56]', async () => {
    let letThrough = (): void => undefined
    gate = new Promise((resolve) => (letThrough = resolve))
    // The next look by itself would be in an hour.
    window = await open({ lookEverySeconds: 3600 })
    await window.until(({ isConnected }) => isConnected)
    await window.drop('1.dcm', file(1))
    await window.until(() => arrived === 1)
    await window.drop('2.dcm', file(2))
    expect((await window.state()).waiting).toBe(2)
    letThrough()
    const { waiting } = await window.until(({ counts }) => counts.stored === 2)
    expect(waiting).toBe(0)
  })

  it('tells how it is to an older server, which does not know that it de-identifies [P56, P80]', async () => {
    window = await open({ deidentify: true })
    expect((await window.until(({ organization }) => organization !== '')).organization).toBe('North')
    expect(reports[0]).toMatchObject({ isDeidentifying: true })
    expect(reports[1]).not.toHaveProperty('isDeidentifying')
  })
})
