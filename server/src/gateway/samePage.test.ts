import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RuntimeSettings } from '@dmp/contract/settings'
import { openFolderStore } from '@dmp/release/store/folderStore'
import { fastify } from 'fastify'
import { registerGateway } from './gateway.ts'
import { aBuild, put } from './testing/builds.ts'

const settings = { applicationName: 'DMP', apiRoot: '/api', liveUrl: '/live' } as unknown as RuntimeSettings

it('tells open pages of a newer version only where they would be another page, not for a viewer', async () => {
  const store = openFolderStore(path.join(mkdtempSync(path.join(tmpdir(), 'dmp-gateway-')), 'releases'))
  const app = fastify()
  registerGateway(app, { store, runtimeSettings: settings })
  const liveId = async (of = '') =>
    (await app.inject(`/releases/live?of=${of}`)).json<{ data: { snapshot: string } }>().data.snapshot
  await put(store, aBuild('host', ['/dashboard']), aBuild('remote-scan', ['/scan']))
  const held = await liveId()
  await put(store, aBuild('viewer', []))
  expect(await liveId()).not.toBe(held)
  expect(await liveId(held)).toBe(held)
  await put(store, aBuild('remote-scan', ['/scan'], 'second'))
  expect(await liveId(held)).toBe(await liveId())
  expect(await liveId('0123456789abcdef')).toBe(await liveId())
  await app.close()
})
