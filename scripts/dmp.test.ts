import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { activate } from '../shared/release/src/activate.ts'
import { publish } from '../shared/release/src/publish.ts'
import { openFolderStore } from '../shared/release/src/store/folderStore.ts'
import { aBuild } from '../shared/release/src/testing/aBuild.ts'
import { root } from './workspace/files.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-npm-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** So that nothing has to be built. */
async function publishHost(): Promise<void> {
  const store = openFolderStore(join(folder, 'releases'))
  const host = await publish(store, aBuild('host', 'one', {}), { commit: 'abc' })
  await activate(store, { parts: [host] }, { by: 'a test' })
}

const listening = /listening at (http:\/\/127\.0\.0\.1:\d+)/
const variables = () => ({
  DMP_DEMO: '',
  DMP_DATA_DIR: folder,
  DMP_HOST: '127.0.0.1',
  PORT: '0',
  DMP_STOP_SECONDS: '60',
  DMP_PUBLIC_URL: 'https://dmp.example.org',
  SMTP_URL: 'smtp://127.0.0.1:9',
  DMP_SECRET: 's'.repeat(40),
  DMP_SIGNING_KEY: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
})

/** A line on which nothing is under way keeps no server from stopping. */
async function openIdle(address: string): Promise<void> {
  const { port, hostname, host } = new URL(address)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined).write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /)
}

it('npm run serve passes an order to stop on, and ends when the server has stopped [P21, P40]', async () => {
  await publishHost()
  const npm = spawn('npm', ['run', 'serve'], { cwd: root, env: { ...process.env, ...variables() }, detached: true })
  try {
    let said = ''
    npm.stderr.on('data', (text: Buffer) => (said += text.toString()))
    await new Promise<void>((ready, failed) => {
      npm.stdout.on('data', (text: Buffer) => {
        said += text.toString()
        if (said.includes('is ready') && listening.test(said)) ready()
      })
      npm.once('exit', () => failed(new Error(said)))
    })
    const address = listening.exec(said)?.[1] ?? ''
    await openIdle(address)
    const began = performance.now()
    npm.kill('SIGTERM')
    expect(await once(npm, 'exit')).toEqual([0, null])
    expect(performance.now() - began).toBeLessThan(50_000)
    await expect(fetch(`${address}/healthz`)).rejects.toThrow('fetch failed')
  } finally {
    // Whatever still runs of its group.
    if (npm.pid !== undefined) endGroup(npm.pid)
  }
})

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ESRCH')
  }
}
