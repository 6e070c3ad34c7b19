import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { startUploader, type Ended } from '../processesInTests.ts'
import { openUploaderWindow } from '../window/windowInTests.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-service-'))
  mkdirSync(path.join(folder, 'bin'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const bus = 'Failed to connect to bus: No medium found'
/** The service manager of the system answers every question so. */
const systemctl = (said: string, code: number): void =>
  writeFileSync(path.join(folder, 'bin/systemctl'), `#!/bin/sh\necho '${said}'\nexit ${code}\n`, { mode: 0o755 })

/** As a person, whoever runs the tests: the unit is in the home folder. */
const service = (...words: readonly string[]): Promise<Ended> => serviceIn({}, ...words)
const serviceIn = (environment: Record<string, string>, ...words: readonly string[]): Promise<Ended> =>
  startUploader(['service', ...words], folder, {
    ...environment,
    HOME: folder,
    PATH: path.join(folder, 'bin'),
    NODE_OPTIONS: '--import=data:text/javascript,process.getuid=()=>1000',
  }).end

describe('the service of the uploader', () => {
  it('that the system did not start is a failure, for scripts too, and so is its status [P56]', async () => {
    systemctl(bus, 1)
    const installed = await service('install')
    expect([installed.code, installed.said]).toEqual([1, expect.stringContaining('the system did not start it')])
    expect(installed.said).toContain(bus)
    const { code, said } = await service('status')
    expect([code, said]).toEqual([3, `${bus}\nThe service is installed, but the system does not say that it runs.\n`])
  })

  it('has the status of systemctl: not installed, running, not running [P56]', async () => {
    systemctl('Active: active (running)', 0)
    expect(await service('status')).toEqual({ code: 4, said: 'The service is not installed.\n' })
    expect((await service('install')).code).toBe(0)
    expect(await service('status')).toEqual({ code: 0, said: 'Active: active (running)\n' })
    systemctl('Active: inactive (dead)', 3)
    expect(await service('status')).toMatchObject({ code: 3, said: expect.stringContaining('(dead)') as string })
  })

  it('keeps the password of the proxy out of its definition, and goes through the proxy by it [P23, P56]', async () => {
    const asked: (string | undefined)[] = []
    const proxy = createServer()
    const isAsked = new Promise<void>((done) => {
      proxy.on('connect', ({ headers }, socket) => {
        asked.push(headers['proxy-authorization'])
        socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n')
        done()
      })
    })
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
    const { port } = proxy.address() as AddressInfo
    systemctl('Active: active (running)', 0)
    const HTTPS_PROXY = `http://scanner:secret@127.0.0.1:${port}`
    // Somebody made the folder and the file wider before.
    const environment = path.join(folder, '.dmp-uploader/service-environment.json')
    mkdirSync(path.dirname(environment), { recursive: true })
    writeFileSync(environment, '{}', { mode: 0o644 })
    expect((await serviceIn({ HTTPS_PROXY }, 'install')).code).toBe(0)
    const unit = readFileSync(path.join(folder, '.config/systemd/user/dmp-uploader.service'), 'utf8')
    const file = path.join(folder, '.dmp-uploader/service-environment.json')
    expect([unit.includes('secret'), statSync(file).mode & 0o777]).toEqual([false, 0o600])

    const [, words = ''] = /ExecStart=(.*)/.exec(unit) ?? []
    const [, ...started] = [...words.matchAll(/"([^"]*)"/g)].map(([, word = '']) => word)
    const token = { server: 'https://dmp.clinic.example', apiToken: `dmp_${'a'.repeat(49)}` }
    writeFileSync(path.join(folder, '.dmp-uploader/dmp-uploader.json'), JSON.stringify(token), { mode: 0o600 })
    // As the program has it inside.
    const running = spawn(process.execPath, started, {
      env: { HOME: folder, NODE_USE_ENV_PROXY: '1' },
      stdio: 'ignore',
    })
    await isAsked
    running.kill('SIGTERM')
    await once(running, 'close')
    proxy.close()
    expect(asked[0]).toBe(`Basic ${Buffer.from('scanner:secret').toString('base64')}`)
    expect((await service('remove')).code).toBe(0)
    expect(existsSync(file)).toBe(false)
  })

  it('warns where its program lies among temporary files, and not where it can stay [P56]', async () => {
    systemctl('Active: active (running)', 0)
    const warning = 'lies in a folder for downloads or temporary files'
    const source = path.resolve(import.meta.dirname, '../..')
    const passing = await serviceIn({ TMPDIR: source }, 'install')
    expect([passing.code, passing.said]).toEqual([0, expect.stringContaining(warning)])
    expect((await serviceIn({ TMPDIR: folder }, 'install')).said).not.toContain(warning)
  })

  it('is what the window names to whoever started it in a terminal, by the line that makes it one [P56]', async () => {
    systemctl('Active: active (running)', 0)
    const words = ['--state', path.join(folder, 'a state')]
    const opened = await openUploaderWindow(folder, words)
    const { installCommand = '' } = await opened.state()
    await opened.stop()
    expect(installCommand).toMatch(/ service install --state '.*\/a state'$/)
    const environment = { HOME: folder, PATH: `${path.join(folder, 'bin')}:${process.env.PATH}` }
    const options = { env: { ...environment, NODE_OPTIONS: '--import=data:text/javascript,process.getuid=()=>1000' } }
    await promisify(execFile)('sh', ['-c', installCommand], options)
    const unit = readFileSync(path.join(folder, '.config/systemd/user/dmp-uploader.service'), 'utf8')
    expect(unit).toContain(`"--state" "${path.join(folder, 'a state')}"`)

    const file = path.join(folder, 'a state/service-environment.json')
    const service = await openUploaderWindow(folder, [...words, '--environment', file])
    expect((await service.state()).installCommand).toBeUndefined()
    await service.stop()
  })

  it('says in its help how scripts tell these from each other [P56]', async () => {
    expect((await service('status', '--help')).said).toContain('0 it runs · 3 it is installed')
  })
})
