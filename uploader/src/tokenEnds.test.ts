import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startUploader, type Ended } from './processesInTests.ts'
import { openUploaderWindow } from './window/windowInTests.ts'

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()

let folder: string
let server: Server
let port: number
/** What the server says of the token's end; one of before says nothing. */
let tokenExpiresDate: string | undefined
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-token-'))
  mkdirSync(path.join(folder, 'scans'))
  server = createServer((asked, response) => {
    const data = { organization: 'North', product: 'v1.1.0', offered: null, oldest: '1.0.0', tokenExpiresDate }
    const isTold = asked.url === '/api/Station/tell'
    // Who may upload is told that nothing came.
    response.writeHead(isTold || asked.url === '/api/oauth/revoke' ? 200 : 400, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isTold ? { data } : {}))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  ;({ port } = server.address() as AddressInfo)
})
afterEach(() => {
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
})

const state = (): string[] => ['--state', path.join(folder, 'state')]
// Put in by hand, as an administrator gave it.
const environment = () => ({
  HOME: folder,
  UPLOADER_SERVER: `http://127.0.0.1:${port}`,
  UPLOADER_API_TOKEN: `dmp_${'a'.repeat(49)}`,
})
const run = (more: Record<string, string> = {}): Promise<Ended> =>
  startUploader([...state(), path.join(folder, 'scans')], folder, { ...environment(), ...more }).end

describe('the end of the API token', () => {
  it.each([
    [13.5, 13],
    [0.5, 0],
    [15, undefined],
    [undefined, undefined],
  ])(
    'in %s days stands in the window, with the days that are left in the last two weeks [P35, P56]',
    async (days, left) => {
      tokenExpiresDate = days === undefined ? undefined : inDays(days)
      const window = await openUploaderWindow(folder, state(), environment())
      const { tokenUntil, tokenDaysLeft } = await window.until(({ organization }) => organization === 'North')
      expect([tokenUntil, tokenDaysLeft]).toEqual([tokenExpiresDate, left])
      await window.stop()
    },
  )

  it('is said and logged once a day, however often the uploader starts [P35, P56]', async () => {
    tokenExpiresDate = inDays(12.5)
    const warning = `The API token ends in 12 days (${tokenExpiresDate.slice(0, 10)}). Renew it before that, `
    const place = path.join(folder, 'state')
    const start = async (): Promise<number> => {
      const window = await openUploaderWindow(folder, state(), environment())
      await window.until(({ organization }) => organization === 'North')
      await window.stop()
      const logs = readdirSync(place).filter((name) => name.endsWith('.log'))
      return logs.flatMap((name) => readFileSync(path.join(place, name), 'utf8').split(warning)).length - logs.length
    }
    expect([await start(), await start()]).toEqual([1, 1])
    writeFileSync(path.join(place, 'warned-of-token'), '2026-01-01')
    expect(await start()).toBe(2)
  })

  it('can be had before: what was connected in the window is found by who disconnects [P45, P56]', async () => {
    const file = path.join(folder, 'state/dmp-uploader.json')
    mkdirSync(path.dirname(file))
    const own = { server: environment().UPLOADER_SERVER, apiToken: environment().UPLOADER_API_TOKEN }
    writeFileSync(file, JSON.stringify(own), { mode: 0o600 })
    const { code } = await startUploader(['--disconnect', ...state()], folder, { HOME: folder }).end
    expect([code, JSON.parse(readFileSync(file, 'utf8'))]).toEqual([0, { server: own.server }])
  })
})

describe('an API token that an uploader of before has put beside the program', () => {
  const own = () => ({ server: environment().UPLOADER_SERVER, apiToken: environment().UPLOADER_API_TOKEN })
  const beside = () => path.join(folder, 'dmp-uploader.json')
  const kept = () => path.join(folder, 'state/dmp-uploader.json')
  const start = (...words: readonly string[]): Promise<Ended> =>
    startUploader([...state(), ...words, path.join(folder, 'scans')], folder, { HOME: folder }).end

  it('is found, and moved to where its user alone reads it; the other settings stay [2.41, P23]', async () => {
    writeFileSync(beside(), JSON.stringify({ ...own(), atOnce: 2 }), { mode: 0o644 })
    const { code, said } = await start()
    expect([code, said]).toEqual([0, expect.stringContaining(`was moved from ${beside()} to ${kept()}`)])
    expect(JSON.parse(readFileSync(beside(), 'utf8'))).toEqual({ atOnce: 2 })
    expect(JSON.parse(readFileSync(kept(), 'utf8'))).toEqual(own())
    if (process.platform !== 'win32') expect(statSync(kept()).mode & 0o777).toBe(0o600)
    expect(await start()).toEqual({ code: 0, said: expect.not.stringContaining('was moved') as string })
  })

  it('leaves no file behind where there was nothing else in it [2.41]', async () => {
    writeFileSync(beside(), JSON.stringify(own()), { mode: 0o600 })
    expect((await start()).code).toBe(0)
    expect([existsSync(beside()), existsSync(kept())]).toEqual([false, true])
  })

  it('stays in a file that is named, and beside one that was kept already [2.41]', async () => {
    writeFileSync(beside(), JSON.stringify(own()), { mode: 0o600 })
    expect((await start('--config', beside())).code).toBe(0)
    expect(existsSync(kept())).toBe(false)
    const other = { server: 'https://other.example', apiToken: `dmp_${'b'.repeat(49)}` }
    writeFileSync(kept(), JSON.stringify(other), { mode: 0o600 })
    expect((await start()).code).toBe(0)
    expect(JSON.parse(readFileSync(kept(), 'utf8'))).toEqual(other)
  })

  it('that was kept is not sent to another server that settings name [P23]', async () => {
    mkdirSync(path.dirname(kept()))
    writeFileSync(kept(), JSON.stringify({ ...own(), server: 'https://other.example' }), { mode: 0o600 })
    writeFileSync(beside(), JSON.stringify({ server: own().server }))
    const { code, said } = await start()
    expect([code, said]).toEqual([2, expect.stringContaining('Connect this machine')])
  })
})

it('says of an https address that speaks http what the right one is [2.41, P28]', async () => {
  const { code, said } = await run({ UPLOADER_SERVER: `https://127.0.0.1:${port}` })
  const sentence = `127.0.0.1:${port} speaks http, not https. Write http://127.0.0.1:${port} as its address.`
  expect([code, said]).toEqual([1, expect.stringContaining(sentence)])
})
