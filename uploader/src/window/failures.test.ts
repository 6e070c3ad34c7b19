import { mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { writeStoreResponse } from '@dmp/dicom'
import { part10Start } from '@dmp/dimse/elementWriter'
import { ctClass, sliceBytes } from '../gateway/deviceInTests.ts'
import { reasons } from './reasons.ts'
import type { WindowState } from './toState.ts'
import { startUploader } from '../processesInTests.ts'
import { openUploaderWindow, type OpenedWindow } from './windowInTests.ts'

const { toStateName } = (await import(new URL('page/states.mjs', import.meta.url).href)) as {
  toStateName: (state: WindowState) => string
}

const file = (at: number, study?: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    Buffer.concat([
      part10Start({ sopClassUID: ctClass, sopInstanceUID: `1.2.77.1.${at}`, transferSyntaxUID: '1.2.840.10008.1.2.1' }),
      sliceBytes(at, study),
    ]),
  )
const refusal = 'The pixel data are shorter than rows, columns and frames need.'

let folder: string
let scans: string
let server: Server
let window: OpenedWindow | undefined
/** The line breaks in the middle of what is sent. */
let isBroken: boolean

function answer({ url, socket }: IncomingMessage, body: Buffer, response: ServerResponse): void {
  const json = (status: number, value: object, type = 'application/json'): void =>
    void response.writeHead(status, { 'content-type': type }).end(JSON.stringify(value))
  if (url === '/api/Station/tell')
    return json(200, { data: { organization: 'North', product: 'v1.0.0', offered: null, oldest: '1.0.0' } })
  if (url !== '/dicom-web/studies' || body.length < 500) return json(400, {})
  if (isBroken) return void socket.destroy()
  const outcome = { kind: 'refused', reason: 'PIXEL_DATA', sentence: refusal, failureCode: 0xa900 } as const
  const objects = body.toString('latin1').split('DICM').length - 1
  const outcomes = Array.from({ length: objects }, (_, index) => ({ part: index + 1, outcome }))
  return json(409, writeStoreResponse(outcomes), 'application/dicom+json')
}

async function open(environment: Record<string, string> = {}): Promise<OpenedWindow> {
  const config = path.join(folder, 'settings.json')
  writeFileSync(config, JSON.stringify({ update: false, folders: [scans], lookEverySeconds: 1 }), { mode: 0o600 })
  window = await openUploaderWindow(folder, ['--config', config, '--state', path.join(folder, 'state')], {
    UPLOADER_SERVER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    UPLOADER_API_TOKEN: `dmp_${'a'.repeat(49)}`,
    ...environment,
  })
  return window
}

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-failures-'))
  scans = path.join(folder, 'scans')
  mkdirSync(scans)
  isBroken = false
  server = createServer((asked, response) => {
    const pieces: Buffer[] = []
    asked.on('data', (piece: Buffer) => pieces.push(piece))
    asked.on('end', () => answer(asked, Buffer.concat(pieces), response))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})
afterEach(async () => {
  await window?.stop()
  window = undefined
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})

describe('what failed, in the window of the uploader', () => {
  it('is one entry for a line that is lost, however many files wait for it [P56]', async () => {
    isBroken = true
    for (let at = 1; at <= 40; at += 1) writeFileSync(path.join(scans, `${at}.dcm`), file(at))
    const opened = await open()
    const { failures } = await opened.until((state) => state.failures.reduce((sum, { count }) => sum + count, 0) === 40)
    expect(failures).toMatchObject([{ code: 'LINE_LOST', isFinal: false, count: 40 }])
  })

  it('is one entry for each study that was refused for one reason, also after a restart [P56]', async () => {
    for (const at of [1, 2, 3]) writeFileSync(path.join(scans, `${at}.dcm`), file(at))
    for (const at of [4, 5]) writeFileSync(path.join(scans, `${at}.dcm`), file(at, '1.2.78'))
    const about = { reason: refusal, code: 'PIXEL_DATA', isFinal: true, patient: 'Gateway, Test · GW-1' }
    const expected = [
      { ...about, count: 2, studyUID: '1.2.78' },
      { ...about, count: 3, studyUID: expect.not.stringMatching(/^1\.2\.78$/) as string },
    ]
    for (let starts = 0; starts < 2; starts += 1) {
      const opened = await open()
      const { failures } = await opened.until(({ counts, isQuiet }) => counts.refused === 5 && isQuiet)
      const byCount = failures.toSorted((a, b) => a.count - b.count)
      expect(byCount).toMatchObject(expected)
      await opened.stop()
    }
  })

  it('keeps what was refused while its folder is away, and forgets that it was, once it is back [P56]', async () => {
    for (const at of [1, 2]) writeFileSync(path.join(scans, `${at}.dcm`), file(at))
    const opened = await open()
    await opened.until(({ counts, isQuiet }) => counts.refused === 2 && isQuiet)
    renameSync(scans, `${scans}.away`)
    const away = await opened.until(({ failures }) => failures.some(({ code }) => code === 'FOLDER_GONE'))
    expect(away.failures).toMatchObject([
      { code: 'FOLDER_GONE', path: scans, isFinal: false, reason: reasons['FOLDER_GONE'] },
      { code: 'PIXEL_DATA', count: 2 },
    ])
    expect(away.counts.refused).toBe(2)
    renameSync(`${scans}.away`, scans)
    const back = await opened.until(({ failures }) => failures.length === 1)
    expect(back.failures).toMatchObject([{ code: 'PIXEL_DATA', count: 2 }])
    await opened.stop()
    const logs = readdirSync(path.join(folder, 'state')).filter((name) => name.endsWith('.log'))
    const logged = logs.map((name) => readFileSync(path.join(folder, 'state', name), 'utf8')).join('')
    for (const sentence of [`${scans} is not there (drive or share?).`, `${scans} is there again.`])
      expect(logged.split(sentence)).toHaveLength(2)
  })

  it('counts what was dropped while the disk was full, and is not green until somebody has seen it [P56]', async () => {
    // The disk of what is written, as Linux has one for trying: no write to it finds room.
    const full =
      "import fs from 'node:fs';import{syncBuiltinESMExports as sync}from'node:module';const{createWriteStream:open}=fs;" +
      "fs.createWriteStream=(place,how)=>open(place.includes('/dropped/')?'/dev/full':place,how);sync()"
    const opened = await open({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(full)}` })
    expect(toStateName(await opened.until(({ isQuiet }) => isQuiet))).toBe('idle')
    for (const at of [1, 2, 3]) {
      const answered = await opened.drop(`${at}.dcm`, file(at))
      expect([answered.status, await answered.json()]).toEqual([
        400,
        { code: 'NOT_COPIED_ROOM', reason: reasons['NOT_COPIED_ROOM'] },
      ])
    }
    const state = await opened.until(({ isQuiet }) => isQuiet)
    expect(state.failures).toMatchObject([{ code: 'NOT_COPIED_ROOM', count: 3, isFinal: true }])
    expect([toStateName(state), state.counts.refused]).toEqual(['notAll', 0])
    await opened.act('clear', {})
    expect(toStateName(await opened.state())).toBe('idle')
  })

  it('forgets of a dropped file that it broke off, once it is dropped again whole [P56]', async () => {
    const opened = await open()
    const { origin, cookie } = opened
    const cut = request(`${origin}/drop?name=1.dcm`, {
      method: 'PUT',
      headers: { cookie, 'x-dmp-window': '1', 'content-length': 1000 },
    })
    cut.on('error', () => undefined).write('half of it', () => cut.destroy())
    const broken = await opened.until(({ failures }) => failures.length > 0)
    expect(broken.failures).toMatchObject([{ path: '1.dcm', code: 'NOT_COPIED_BROKEN' }])
    await opened.drop('1.dcm', file(1))
    const state = await opened.until(({ counts }) => counts.refused === 1)
    expect(state.failures.map(({ code }) => code)).toEqual(['PIXEL_DATA'])
  })

  it('is not said to be copied for ever where the folder of dropped files is gone [P56]', async () => {
    const opened = await open()
    await opened.until(({ isQuiet }) => isQuiet)
    rmSync(path.join(folder, 'state/dropped'), { recursive: true })
    expect((await opened.drop('1.dcm', file(1))).status).toBe(400)
    await opened.until(({ isQuiet }) => isQuiet)
  })

  it('has words in the languages of the window for every reason for which the server refuses an object [P56]', () => {
    const source = readFileSync(path.join(import.meta.dirname, '../../../server/src/dicom/refusal.ts'), 'utf8')
    const known = [...source.matchAll(/^ {2}\| '([A-Z_]+)'/gm)].map(([, code = '']) => code)
    expect(known.length).toBeGreaterThan(15)
    expect(Object.keys(reasons)).toEqual(expect.arrayContaining(known))
  })
})

it('says on the terminal that the disk of its folder is full, and what to do [2.41]', async () => {
  writeFileSync(path.join(scans, '1.dcm'), file(1))
  // The lines of the journal go to the disk that has no room.
  const full =
    "import fs from 'node:fs';import{syncBuiltinESMExports as sync}from'node:module';const{openSync,writeSync:write}=fs;" +
    "const disk=openSync('/dev/full','w');" +
    "fs.writeSync=(file,bytes,...more)=>String(bytes).includes('outcome')?write(disk,bytes):write(file,bytes,...more);sync()"
  const state = path.join(folder, 'state')
  const { code, said } = await startUploader(['--state', state, scans], folder, {
    HOME: folder,
    UPLOADER_SERVER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    UPLOADER_API_TOKEN: `dmp_${'a'.repeat(49)}`,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(full)}`,
  }).end
  const sentence = `There is no room left on the disk of ${state}. Make room, or choose another folder with --state, and`
  expect([code, said]).toEqual([1, expect.stringContaining(sentence)])
})
