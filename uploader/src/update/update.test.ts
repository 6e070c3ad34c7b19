import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bundle } from '../../build.ts'
import { toPublic } from '../../signingKey.ts'
import { startUploader } from '../processesInTests.ts'
import { version } from '../version.ts'
import { signProgram } from './statement.ts'

// The bundle as it is handed out, in processes of its own, and a server that offers another one.

const next = version.replace(/\d+$/, (patch) => String(Number(patch) + 1))
const { privateKey: key } = generateKeyPairSync('ed25519')
const { privateKey: stranger } = generateKeyPairSync('ed25519')

let folder: string
let own: string
let program: string
/** The same, which waits for half a second in place of a minute for a new one to say that it works. */
let hastyProgram: string
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-update-'))
  program = path.join(folder, 'bundle/uploader.cjs')
  hastyProgram = path.join(folder, 'bundle/hasty.cjs')
  await bundle([toPublic(key)], path.join(folder, 'bundle'))
  own = readFileSync(program, 'utf8')
  const hasty = own.replace(/(const readyWithinMs = )60_?000\b/, '$1500')
  expect(hasty).not.toBe(own)
  writeFileSync(hastyProgram, hasty)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let server: Server
afterEach(() => {
  server.close()
  server.closeAllConnections()
})

interface Offering {
  readonly address: string
  /** The versions that told how they are, in their order. */
  readonly told: string[]
  readonly fetched: () => number
}

async function offer(program: string, signer = key, oldest = '1.0.0'): Promise<Offering> {
  const bytes = Buffer.from(program)
  const offered = signProgram(bytes, next, signer)
  const told: string[] = []
  let fetched = 0
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const json = (status: number, value: unknown): void => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      }
      if (request.url === '/downloads/uploader/current') return json(200, { product: 'v9.9.9', oldest, offered })
      if (request.url === '/downloads/uploader/program') {
        fetched += 1
        return void response.writeHead(200, { 'content-length': bytes.length }).end(bytes)
      }
      if (request.url !== '/api/Station/tell') return json(400, { code: 'INVALID', message: 'Nothing came.' })
      told.push((JSON.parse(Buffer.concat(chunks).toString()) as { version: string }).version)
      return json(200, { data: { organization: 'North', product: 'v9.9.9', offered: next, oldest } })
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, told, fetched: () => fetched }
}

/** Watches with the bundle until `isEnough`, then stops it. Returns what it said. */
async function watch(
  { address }: Offering,
  state: string,
  isEnough: (said: string) => boolean,
  started = program,
): Promise<string> {
  const environment = { UPLOADER_SERVER: address, UPLOADER_API_TOKEN: `dmp_${'a'.repeat(49)}`, HOME: folder }
  const words = [started, '--watch', '--state', path.join(folder, state), folder]
  const running = startUploader(words, folder, environment, process.execPath)
  let said = ''
  for (const stream of [running.process.stdout, running.process.stderr])
    stream?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  for (const until = Date.now() + 60_000; !isEnough(said) && Date.now() < until;)
    await new Promise((done) => setTimeout(done, 50))
  running.process.kill('SIGTERM')
  // One that does not stop must not outlive the test.
  const hard = setTimeout(() => running.process.kill('SIGKILL'), 15_000)
  const { code } = await running.end
  clearTimeout(hard)
  expect(code).not.toBeNull()
  return said
}

const asNext = (): string => own.replaceAll(`"${version}"`, `"${next}"`)

it('fetches what its maker has signed, starts it, and goes on with it [P56]', async () => {
  const offering = await offer(asNext())
  const said = await watch(offering, 'good', () => offering.told.includes(next))
  expect(offering.told[0]).toBe(version)
  expect(offering.told.at(-1)).toBe(next)
  expect(said).toContain(`Uploader ${next}, server v9.9.9.`)
})

it.each([
  ['throws at once', "throw new Error('broken');", false],
  ['is no program', 'this is no program', false],
  ['ends without a word', 'process.exit(0);', false],
  ['is busy for ever', 'for (;;);', true],
  ['waits for ever', 'setInterval(() => undefined, 1000); return;', true],
])('goes back to the one before where the new one %s, and never tries it again [P56]', async (name, broken, hangs) => {
  const state = name.replaceAll(' ', '-')
  const offering = await offer(`${broken}\n${asNext()}`)
  const from = hangs ? hastyProgram : program
  const said = await watch(offering, state, () => offering.told.length >= 2, from)
  expect(said).toContain(`Uploader ${next} did not start. It is set aside, and ${version} goes on.`)
  expect(new Set(offering.told)).toEqual(new Set([version]))
  const again = await watch(offering, state, () => offering.told.length >= 3, from)
  expect(again).not.toContain('did not start')
  expect(offering.fetched()).toBe(1)
})

it('that is stopped while a new one starts ends, and sets nothing aside [P56]', async () => {
  const waits = "process.stdout.write('begun'); setInterval(() => undefined, 1000); return;"
  const said = await watch(await offer(`${waits}\n${asNext()}`), 'stopped', (text) => text.includes('begun'))
  expect(said).not.toContain('did not start')
})

it('takes nothing that a stranger has signed [P56]', async () => {
  const offering = await offer(asNext(), stranger)
  const said = await watch(offering, 'stranger', (text) => text.includes('was not taken'))
  expect(said).toContain('is not signed by whoever made this one')
  expect([offering.fetched(), offering.told.includes(next)]).toEqual([0, false])
})

it('that is too old for the server says what to do and sends nothing [P56]', async () => {
  const offering = await offer(own, key, '9.0.0')
  const said = await watch(offering, 'old', (text) => text.includes('too old'))
  expect(said).toMatch(/too old for .*takes 9\.0\.0 and newer\. Nothing was lost\. Update it: dmp-uploader update/)
})
