import { spawn, type ChildProcess } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { makeApiToken } from '../apiToken/apiTokenInTests.ts'
import { objectOf, store } from '../changes/changesInTests.ts'
import { makeWebhook, statuses, until } from './webhookInTests.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/integrating.md'), 'utf8')
const [, receiver = ''] = /^```js\n([^]*?)^```/m.exec(page) ?? []

let server: TestServer
let admin: SignedIn
let folder: string
let child: ChildProcess
beforeAll(async () => {
  const port = await findPort()
  server = await startServer({ DMP_WEBHOOK_HOSTS: `127.0.0.1:${port}`, DMP_QUIET_SECONDS: '1', PORT: '0' })
  admin = await server.signIn('admin')
  await server.listen()
  folder = mkdtempSync(join(tmpdir(), 'dmp-recipe-'))
  writeFileSync(join(folder, 'receiver.mjs'), receiver)
})
afterAll(async () => {
  child.kill()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function findPort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening))
  const { port } = probe.address() as AddressInfo
  await new Promise((closed) => probe.close(closed))
  return port
}

it('has a receiver that verifies each message, refuses a forged one, and fetches the new series [P49]', async () => {
  const [host = ''] = server.deps.settings.webhookHosts
  const url = `http://${host}/`
  const { id, secret } = await makeWebhook(admin, url, { kinds: ['SeriesQuiet'] })
  const { token } = await makeApiToken(admin)
  child = spawn(process.execPath, ['receiver.mjs'], {
    cwd: folder,
    env: { PORT: host.split(':')[1], WEBHOOK_SECRET: secret, TOKEN: token },
    stdio: 'ignore',
  })
  const forge = (headers: Record<string, string>) =>
    fetch(url, { method: 'POST', body: '{}', headers }).then(
      ({ status }) => status,
      () => undefined,
    )
  await until(async () => (await forge({})) !== undefined)
  const now = String(Math.floor(Date.now() / 1000))
  const signature = `v1,${Buffer.alloc(32).toString('base64')}`
  const forged = { 'webhook-id': 'a', 'webhook-timestamp': now, 'webhook-signature': signature }
  expect([await forge({}), await forge(forged)]).toEqual([401, 401])
  await store(server, admin, objectOf('1.97', 1, 1))
  await statuses(admin, id, ['Delivered'])
  const file = join(folder, '1.97.1.multipart')
  expect(existsSync(file)).toBe(true)
  expect(readFileSync(file).includes('1.97.1.1')).toBe(true)
})
