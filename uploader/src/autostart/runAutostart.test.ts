import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startUploader, type Ended } from '../processesInTests.ts'

jest.setTimeout(60_000)

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
const service = (...words: readonly string[]): Promise<Ended> =>
  startUploader(['service', ...words], folder, {
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

  it('says in its help how scripts tell these from each other [P56]', async () => {
    expect((await service('status', '--help')).said).toContain('0 it runs · 3 it is installed')
  })
})
