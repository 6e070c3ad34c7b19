import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dicomFile, slice } from '../../dicom/testing/dicomFile.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

it('writes the cause of a failing store to the log, and keeps it from the caller [P21, P23]', async () => {
  const staff = await server.signIn('staff')
  const incoming = join(server.deps.settings.dataDir, 'incoming')
  rmSync(incoming, { recursive: true, force: true })
  writeFileSync(incoming, 'in the way')
  const reply = await stow(server, staff, [dicomFile({ elements: slice() })])
  expect([reply.statusCode, reply.json()]).toMatchObject([503, { code: 'STORE_UNAVAILABLE' }])
  expect(reply.body).not.toContain('ENOTDIR')
  const line = server.logs.find((text) => text.includes('a dependency failed')) ?? '{}'
  expect(JSON.parse(line)).toMatchObject({ code: 'STORE_UNAVAILABLE', reason: 'ENOTDIR' })
  rmSync(incoming)
})
