import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { writeStoreResponse } from '@dmp/dicom'
import { part10Start } from '@dmp/dimse/elementWriter'
import { ctClass, sliceBytes } from '../gateway/deviceInTests.ts'
import { startUploader } from '../processesInTests.ts'
import type { WindowState } from './toState.ts'
import { openUploaderWindow, type OpenedWindow } from './windowInTests.ts'

const { toStateName, toSeriesState, toPace } = (await import(new URL('page/states.mjs', import.meta.url).href)) as {
  toStateName: (state: WindowState) => string
  toSeriesState: (row: WindowState['series'][number], state: WindowState) => string
  toPace: (state: WindowState) => { minutesLeft?: number | 'unknown'; bytesPerSecond?: number }
}

const file = (at: number, more = 0): Buffer =>
  Buffer.concat([
    part10Start({ sopClassUID: ctClass, sopInstanceUID: `1.2.77.1.${at}`, transferSyntaxUID: '1.2.840.10008.1.2.1' }),
    sliceBytes(at),
    Buffer.alloc(more),
  ])
const refusal = 'The pixel data are shorter than rows, columns and frames need.'
const mebibyte = 2 ** 20

let folder: string
let scans: string
let server: Server
let port = 0
let window: OpenedWindow | undefined
/** Holds the answers to what is sent, from the second piece of a large file on. */
let gate: Promise<void>
let isRefusing: boolean
/** Asks for an hour's wait. */
let isBusy: boolean
/** The length of the large file that comes in pieces, and what of it is here. */
let [large, arrived] = [0, 0]

const listen = async (): Promise<void> => {
  server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => void answer(request, Buffer.concat(pieces), response))
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  ;({ port } = server.address() as AddressInfo)
}
const away = (): void => {
  server.close()
  server.closeAllConnections()
}

async function answer({ url, headers }: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
  const json = (status: number, value: object, type = 'application/json'): void =>
    void response.writeHead(status, { 'content-type': type }).end(JSON.stringify(value))
  const store = (): void => {
    const identity = { sopClassUID: ctClass, sopInstanceUID: '1.2.77.1.1', studyUID: '1.2', seriesUID: '1.2.3' }
    const outcome = isRefusing
      ? ({ kind: 'refused', reason: 'PIXEL_DATA', sentence: refusal, failureCode: 0xa900 } as const)
      : ({ kind: 'stored', ...identity } as const)
    json(isRefusing ? 409 : 200, writeStoreResponse([{ part: 1, outcome }]), 'application/dicom+json')
  }
  if (url === '/api/Station/tell')
    return json(200, { data: { organization: 'North', product: 'v1.0.0', offered: null, oldest: '1.0.0' } })
  if (url === '/api/Scan/uploads') {
    large = Number(headers['upload-length'])
    return void response.writeHead(201, { location: '/api/Scan/uploads/1' }).end()
  }
  if (url === '/api/Scan/uploads/1') {
    if (arrived > 0) await gate
    arrived += body.length
    return arrived === large ? store() : void response.writeHead(204, { 'upload-offset': arrived }).end()
  }
  if (isBusy && url === '/dicom-web/studies' && body.length >= 500)
    return void response.writeHead(503, { 'retry-after': '3600' }).end('{"message":"Under maintenance."}')
  if (url !== '/dicom-web/studies' || body.length < 500) return json(400, {})
  await gate
  return store()
}

const settings = (more: object): string => {
  const config = path.join(folder, 'settings.json')
  writeFileSync(config, JSON.stringify({ update: false, folders: [scans], ...more }), { mode: 0o600 })
  return config
}
const environment = () => ({
  UPLOADER_SERVER: `http://127.0.0.1:${port}`,
  UPLOADER_API_TOKEN: `dmp_${'a'.repeat(49)}`,
})
const open = async (more: object = { lookEverySeconds: 1 }): Promise<OpenedWindow> =>
  (window = await openUploaderWindow(
    folder,
    ['--config', settings(more), '--state', path.join(folder, 'state')],
    environment(),
  ))
const put = (name: string, content: Buffer): void => writeFileSync(path.join(scans, name), content)

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-status-'))
  scans = path.join(folder, 'scans')
  mkdirSync(scans)
  ;[gate, isRefusing, isBusy, large, arrived, port] = [Promise.resolve(), false, false, 0, 0, 0]
  await listen()
})
afterEach(async () => {
  await window?.stop()
  window = undefined
  away()
  rmSync(folder, { recursive: true, force: true })
})

/** One file was refused, another waits because somebody paused; then the uploader ended. */
async function leaveWaiting(): Promise<void> {
  isRefusing = true
  put('1.dcm', file(1))
  const first = await open()
  await first.until(({ counts }) => counts.refused === 1)
  await first.act('pause', { isPaused: true })
  put('2.dcm', file(2))
  await first.until(({ waiting }) => waiting === 1)
  await first.stop()
  isRefusing = false
}

describe('the window of the uploader', () => {
  it('says after a restart while it is paused what waits and what was refused, and then goes on [P56]', async () => {
    await leaveWaiting()
    const again = await open()
    const state = await again.until(({ waiting, isCounting }) => waiting === 1 && !isCounting)
    expect([state.isPaused, state.counts.refused, toStateName(state)]).toEqual([true, 1, 'paused'])
    expect(state.failures).toMatchObject([{ path: path.join(scans, '1.dcm'), reason: refusal, isFinal: true }])
    expect(state.series.map((row) => toSeriesState(row, state))).toEqual(['paused'])
    await again.act('pause', { isPaused: false })
    expect((await again.until(({ counts }) => counts.stored === 1)).waiting).toBe(0)
  })

  it('says where the server is not there what waits, since when, and goes on by itself when it is back [P56]', async () => {
    await leaveWaiting()
    rmSync(path.join(folder, 'state', 'paused'))
    away()
    const again = await open()
    const state = await again.until(({ waiting, lost }) => waiting === 1 && lost !== undefined)
    expect([toStateName(state), state.counts.refused, state.problem]).toEqual(['lost', 1, undefined])
    expect(Date.parse(state.lost?.since ?? '')).toBeLessThanOrEqual(Date.now())
    await listen()
    const back = await again.until(({ counts, isQuiet }) => counts.stored === 1 && isQuiet)
    expect([back.lost, toStateName(back)]).toEqual([undefined, 'notAll'])
    // While it runs, the same.
    away()
    put('3.dcm', file(3))
    const gone = await again.until(({ lost }) => lost !== undefined)
    expect([toStateName(gone), ...gone.series.map((row) => toSeriesState(row, gone))]).toContain('waiting')
    // Another try in vain is no other beginning: `until` compares each state with the one before.
    const tried = ({ failures }: WindowState) => failures.find(({ isFinal }) => !isFinal)?.at
    const once = tried(await again.until((now) => tried(now) !== undefined))
    await again.until((now) => tried(now) !== once)
    await listen()
    expect((await again.until(({ counts }) => counts.stored === 2)).lost).toBeUndefined()
  })

  it('is green again once what was refused half written has come in whole [P56]', async () => {
    isRefusing = true
    put('1.dcm', file(1))
    const opened = await open()
    const refused = await opened.until(({ counts, isQuiet }) => counts.refused === 1 && isQuiet)
    expect(refused.series.map((row) => [row.refused, toSeriesState(row, refused)])).toEqual([[1, 'notAll']])
    isRefusing = false
    put('1.dcm', file(1, 200))
    const state = await opened.until(({ counts, isQuiet }) => counts.stored === 1 && isQuiet)
    expect(state.series.map((row) => [row.stored, row.refused, toSeriesState(row, state)])).toEqual([[1, 0, 'idle']])
    expect([toStateName(state), state.failures]).toEqual(['idle', []])
  })

  it('tries again at once where somebody asks for it, though the server asked for an hour [P56]', async () => {
    isBusy = true
    put('1.dcm', file(1))
    const opened = await open({ lookEverySeconds: 3600 })
    await opened.until(({ failures }) => failures.some(({ reason }) => reason.includes('Under maintenance.')))
    isBusy = false
    await opened.act('again', {})
    const state = await opened.until(({ counts, isQuiet }) => counts.stored === 1 && isQuiet)
    expect([toStateName(state), state.waiting]).toEqual(['idle', 0])
  })

  it('is not green while a file is still written, which it sees though the next look is an hour away [P56]', async () => {
    const opened = await open({ lookEverySeconds: 3600 })
    expect(toStateName(await opened.until(({ isQuiet }) => isQuiet))).toBe('idle')
    put('1.dcm', file(1).subarray(0, 400))
    const state = await opened.until(({ waiting }) => waiting === 1)
    expect(['waiting', 'looking', 'sending']).toContain(toStateName(state))
    put('1.dcm', file(1))
    expect(toStateName(await opened.until(({ counts, isQuiet }) => counts.stored === 1 && isQuiet))).toBe('idle')
  })

  it('is not green over a refused file, also when the list is cleared, until that file is gone [P56]', async () => {
    isRefusing = true
    put('1.dcm', file(1))
    const opened = await open()
    await opened.until(({ counts }) => counts.refused === 1)
    await opened.act('clear', {})
    const cleared = await opened.until(({ isQuiet }) => isQuiet)
    expect([cleared.failures, toStateName(cleared)]).toEqual([[], 'notAll'])
    rmSync(path.join(scans, '1.dcm'))
    expect(toStateName(await opened.until(({ counts }) => counts.refused === 0))).toBe('idle')
  })

  it('counts of a large file what the server has of it, for size, speed and time left [P56]', async () => {
    let letThrough = (): void => undefined
    gate = new Promise((resolve) => (letThrough = resolve))
    const all = file(1, 12 * mebibyte)
    put('1.dcm', all)
    const opened = await open()
    const state = await opened.until(({ waitingBytes, waiting }) => waiting === 1 && waitingBytes < all.length)
    expect([state.waitingBytes, toStateName(state)]).toEqual([all.length - arrived, 'sending'])
    expect(state.arrivedShare).toBeCloseTo(arrived / all.length)
    expect(state.bytesPerSecond).toBeGreaterThan(0)
    expect(toPace(state)).toEqual({ minutesLeft: state.minutesLeft, bytesPerSecond: state.bytesPerSecond })
    // Where it stands still, what was measured before is not said any more.
    await opened.act('pause', { isPaused: true })
    const still = await opened.until(({ isPaused }) => isPaused)
    expect([still.bytesPerSecond > 0, toPace(still)]).toEqual([true, {}])
    await opened.act('pause', { isPaused: false })
    letThrough()
    const done = await opened.until(({ counts, isQuiet }) => counts.stored === 1 && isQuiet)
    expect([toStateName(done), toPace(done)]).toEqual(['idle', {}])
  })
})

it('says on the terminal since when the server is not there, and that it is back [2.41, P28]', async () => {
  put('1.dcm', file(1))
  away()
  const words = ['--watch', '--config', settings({ lookEverySeconds: 1 }), '--state', path.join(folder, 'state')]
  const { process: terminal, end } = startUploader(words, folder, { HOME: folder, ...environment() })
  let said = ''
  terminal.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  while (!/cannot be reached since \d{4}-\S+ \S+: .*It is tried again by itself\./.test(said)) await wait(50)
  await listen()
  while (!/responds again\. It could not be reached since [^]*1 file sent/.test(said)) await wait(50)
  expect(said.match(/cannot be reached/g)).toHaveLength(1)
  terminal.kill('SIGTERM')
  expect((await end).code).toBe(0)
})
