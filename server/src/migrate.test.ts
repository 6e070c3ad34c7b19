import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild, type Child } from './testing/childServer.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-migrate-'))
const running: Child[] = []
afterAll(() => {
  for (const child of running) child.process.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
const start = (variables: Record<string, string>, entry?: string): Child => {
  const child = startChild({ DMP_DEMO: '1', DMP_DATA_DIR: folder, DMP_DISK_NOTICE_MB: '0', ...variables }, entry)
  running.push(child)
  return child
}

it('a server that may not migrate says what to run, and starts once that was done [P21]', async () => {
  const refused = await start({ DMP_MIGRATE: '0' }).ended
  expect(refused.code).toBe(1)
  expect(refused.errors).toMatch(/^The database is behind this version \(0001-base, .+\), and DMP_MIGRATE=0 /)
  expect(refused.errors).toContain('Run npm run migrate with this version, then start the server again.')

  const migrated = await start({}, 'migrate.ts').ended
  expect([migrated.code, migrated.errors, migrated.out]).toEqual([0, '', 'The database is at this version.\n'])

  const server = start({ DMP_MIGRATE: '0' })
  expect((await fetch(`${await server.ready}/healthz`)).status).toBe(200)
  server.process.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
})
