import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { Release } from '@dmp/contract/release'
import { activate } from '@dmp/release/activate'
import { openFolderStore } from '@dmp/release/store/folderStore'
import { aBuild } from '@dmp/release/testing/aBuild'
import { publish } from '@dmp/release/publish'
import { aKey, forceLive, publishAs, register } from '@dmp/release/testing/signing'
import { pino } from 'pino'
import { makeServer, type Server } from '../../app.ts'
import { parseReleaseKeysCommand } from '../../releaseKeysCommand.ts'
import { byTests } from '../../testing/releases.ts'
import { readSettings } from '../../settings/settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-keys-'))
const store = openFolderStore(join(folder, 'releases'))
let log = ''
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A server on the data folder, which ends with what is done on it. */
async function onServer<T>(act: (server: Server) => Promise<T>): Promise<T> {
  const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => ((log += chunk.toString()), done()) })
  const settings = readSettings({ DMP_DEMO: '1', DMP_DATA_DIR: folder, DMP_DISK_NOTICE_MB: '0' })
  const server = await makeServer(settings, { log: pino(sink) })
  try {
    return await act(server)
  } finally {
    await server.close()
  }
}

/** Whether the next page names the release, and how its file is answered. */
async function look({ app }: Server, { name, releaseId }: Release): Promise<readonly [boolean, number]> {
  const page = await app.inject('/')
  const file = await app.inject(`/releases/${name}/${releaseId}/App.js`)
  return [page.body.includes(releaseId), file.statusCode]
}

it('notices after a restart, too, that keys have vanished, until an operator lets it forget them [P43]', async () => {
  const [part, key] = ['remote-signed', aKey('ci')]
  await activate(store, { parts: [await publish(store, aBuild('host', 'one'), { commit: 'abc' })] }, byTests)
  await register(store, part, key)
  const good = await publishAs(store, part, 'good', key)
  await activate(store, { parts: [good] }, byTests)
  expect(await onServer((server) => look(server, good))).toEqual([true, 200])

  rmSync(join(store.folder, 'keys'), { recursive: true })
  const evil = await publishAs(store, part, 'evil')
  await forceLive(store, evil)
  await onServer(async (server) => {
    expect(await look(server, evil)).toEqual([false, 404])
    expect(log).toContain(`The release keys of ${part} were altered`)
    // As another process does, which has seen nothing.
    await register(openFolderStore(store.folder), part, aKey('thief'))
    expect(await look(server, evil)).toEqual([false, 404])
    rmSync(join(store.folder, 'keys'), { recursive: true })
    expect(() => parseReleaseKeysCommand(['forget', '../x'], 'usage')).toThrow('usage')
    const forget = parseReleaseKeysCommand(['forget', part], 'usage')
    expect(await forget(server)).toContain(`${part} are forgotten. Restart the servers`)
    expect(await forget(server)).toContain('were remembered')
  })
  expect(await onServer((server) => look(server, evil))).toEqual([true, 200])
})
