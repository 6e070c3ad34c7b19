import { join } from 'node:path'
import { account, release } from '@dmp/contract'
import type { Release } from '@dmp/contract/release'
import type { Observation } from '@dmp/contract/releaseReport'
import { activate } from '@dmp/release/activate'
import { publish } from '@dmp/release/publish'
import { openFolderStore, type FolderStore } from '@dmp/release/store/folderStore'
import { aBuild } from '@dmp/release/testing/aBuild'
import { demoPassword } from '../modules/account/demoAccounts.ts'
import type { TestServer } from './server.ts'

export const byTests = { by: 'a pipeline' }

export interface TestReleases {
  readonly store: FolderStore
  readonly host: Release
  put(name: string, code: string, routes?: readonly string[]): Promise<Release>
  /** The reports that the pages of a user's browser send about a release, one after the other. */
  report(email: string, ...seen: readonly Observation[]): Promise<void>
}

/** Releases of a test server, on which a host is live. */
export async function createTestReleases(server: TestServer): Promise<TestReleases> {
  const store = openFolderStore(join(server.deps.settings.dataDir, 'releases'))
  const put: TestReleases['put'] = (name, code, routes) =>
    publish(store, aBuild(name, code, routes ? { routes } : {}), { commit: 'abc' })
  const host = await put('host', 'one')
  await activate(store, { parts: [host] }, byTests)
  return {
    store,
    host,
    put,
    report: async (email, ...seen) => {
      const { raw } = await server.call(
        account.login,
        { ClientId: 'dmp-web', email, password: demoPassword },
        { headers: { 'sec-fetch-site': 'same-origin' } },
      )
      const cookie = `dmp-audience=${raw.cookies.find(({ name }) => name === 'dmp-audience')?.value}`
      for (const sighting of seen) {
        await server.app.inject({ url: sighting.part === 'viewer' ? '/viewer/' : '/', headers: { cookie } })
        await server.call(release.report, { seen: [sighting] }, { headers: { cookie } })
      }
    },
  }
}
