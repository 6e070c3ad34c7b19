import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild, type Child } from './testing/childServer.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-setup-'))
const production = {
  DMP_PUBLIC_URL: 'https://dmp.example.org',
  SMTP_URL: 'smtp://127.0.0.1:9',
  DMP_SECRET: 's'.repeat(40),
  DMP_SIGNING_KEY: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  DMP_DATA_DIR: folder,
}
let server: Child
afterAll(async () => {
  server.process.kill('SIGKILL')
  await server.ended
  rmSync(folder, { recursive: true, force: true })
})

/** The text once it has been said. */
async function said(pattern: RegExp): Promise<string> {
  for (;;) {
    const found = pattern.exec(server.said.out)?.[1]
    if (found) return found
    await new Promise((again) => setTimeout(again, 50))
  }
}
const link = /^ {2}https:\/\/dmp\.example\.org\/setup#(\S+)$/m

it('gets an empty installation its first administrator, from the server’s output or while it runs [P50]', async () => {
  server = startChild(production)
  await server.ready
  const address = await said(/listening at (http:\/\/127\.0\.0\.1:\d+)/)
  const printed = await said(link)
  const command = await startChild(production, 'admin.ts', ['setup-link']).ended
  expect([command.code, command.errors]).toEqual([0, ''])
  const other = link.exec(command.out)?.[1]

  const post = async (name: string, body: object) => {
    const reply = await fetch(`${address}/api/account/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', host: 'dmp.example.org' },
      body: JSON.stringify(body),
    })
    return { status: reply.status, text: await reply.text() }
  }
  for (const setupToken of [printed, other])
    expect(await post('checkSetupLink', { setupToken })).toMatchObject({ status: 200 })
  const person = {
    civility: 'Ms',
    firstName: 'Eva',
    lastName: 'First',
    email: 'eva@provider.example',
    newPassword: 'Brand New Passw0rd!',
  }
  expect(await post('addFirstAdministrator', { ...person, setupToken: other })).toMatchObject({ status: 200 })
  // Every other link is over with it.
  for (const setupToken of [printed, other])
    expect((await post('checkSetupLink', { setupToken })).text).toContain('This set-up link does not work.')
  expect(server.said.out.split('\n').filter((line) => line.startsWith('{') && line.includes(printed))).toEqual([])

  server.process.kill('SIGTERM')
  await server.ended
  server = startChild(production)
  await server.ready
  await said(/(listening at )/)
  server.process.kill('SIGTERM')
  expect((await server.ended).out).not.toContain('/setup#')
})
