import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { southClinic } from '@dmp/contract/examples'
import type { OrganizationImport } from '@dmp/contract/organization'
import { callsAt, objectOf, type OutsideCalls } from '../../../testing/callsFromOutside.ts'
import { startChild, type Child } from '../../../testing/childServer.ts'
import { createTestMasterKey } from '../../../testing/objects.ts'
import { demoPassword } from '../../account/demoAccounts.ts'
import { composeArchive, toZip, tusHeaders } from './importInTests.ts'

jest.setTimeout(600_000)

const folder = mkdtempSync(join(tmpdir(), 'dmp-import-killed-'))
const variables = { DMP_DEMO: '1', DMP_DATA_DIR: folder, DMP_ENCRYPTION_KEY: createTestMasterKey() }
const total = 600
const archive = toZip(composeArchive(Array.from({ length: total }, (_, index) => objectOf('1.75', index))))

let child: Child
let calls: OutsideCalls
let headers: Record<string, string>
async function start(): Promise<void> {
  child = startChild(variables)
  calls = callsAt(await child.ready)
  headers = await calls.signIn('admin@south.example')
}
async function kill(): Promise<void> {
  child.process.kill('SIGKILL')
  await child.ended
}
afterAll(async () => {
  await kill()
  rmSync(folder, { recursive: true, force: true })
})

const read = (text: string): OrganizationImport => {
  const [newest] = (JSON.parse(text) as { data: OrganizationImport[] }).data
  if (!newest) throw new Error(text)
  return newest
}

it('goes on with what had arrived, and with what was stored, after the server was killed [P20, P75]', async () => {
  await start()
  const { id } = southClinic
  const list = async (): Promise<OrganizationImport> =>
    read((await calls.ask('GET', `/api/Organization/listImports?id=${id}`, headers)).text)
  const body = { bytes: archive.length, password: demoPassword }
  const begun = read((await calls.ask('POST', `/api/Organization/startImport/${id}`, headers, body)).text)
  const path = `/api/Organization/imports/${begun.id}`
  const half = Math.floor(archive.length / 2)
  const send = (bytes: Buffer, at: number) => calls.ask('PATCH', path, { ...headers, ...tusHeaders(at) }, bytes)
  expect((await send(archive.subarray(0, half), 0)).status).toBe(204)
  // What lies on the disk is no archive that anybody could read there.
  const [name = ''] = readdirSync(join(folder, 'imports')).filter((file) => !file.endsWith('.json'))
  expect(readFileSync(join(folder, 'imports', name)).subarray(0, 1000)).not.toEqual(archive.subarray(0, 1000))
  await kill()

  await start()
  const arrived = await calls.ask('HEAD', path, { ...headers, 'tus-resumable': '1.0.0' })
  expect(arrived.headers.get('upload-offset')).toBe(String(half))
  expect((await send(archive.subarray(half), half)).status).toBe(204)
  let item = await list()
  while (item.stored === 0) {
    await pause(10)
    item = await list()
  }
  expect(item).toMatchObject({ state: 'Running', from: 'Elsewhere', objects: total })
  await kill()

  await start()
  while (item.state === 'Running') {
    await pause(50)
    item = await list()
  }
  expect(item).toMatchObject({ state: 'Done', objects: total, refused: 0 })
  expect(item.stored + item.present).toBe(total)
  // What was told before the stop is not told as if it had been there.
  expect(item.present).toBeLessThan(total / 2)
  // The archive goes right behind the last word.
  while (readdirSync(join(folder, 'imports')).length > 0) await pause(20)
})
