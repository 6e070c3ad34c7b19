import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { PageSnapshot } from '@dmp/contract/release'
import type { RuntimeSettings } from '@dmp/contract/settings'
import { openFolderStore } from '@dmp/release/store/folderStore'
import { fastify } from 'fastify'
import { registerGateway } from './gateway.ts'
import { aBuild, put } from './testing/builds.ts'

const runtimeSettings = { applicationName: 'DMP', apiRoot: '/api' } as unknown as RuntimeSettings
const toText = (mark: string): string => `{"Save":"Speichern ${mark}"}`
const toHash = (mark: string): string => `sha384-${createHash('sha384').update(toText(mark)).digest('base64')}`
const block = (html: string, id: string): unknown =>
  JSON.parse(new RegExp(`id="${id}">(.*?)</script>`, 's').exec(html)?.[1] ?? 'null')

/** A remote that speaks German. */
function buildInGerman(mark: string): string {
  const dist = aBuild('remote-scan', ['/scan'], mark)
  mkdirSync(path.join(dist, 'texts'))
  writeFileSync(path.join(dist, 'texts', 'de.json'), toText(mark))
  return dist
}

describe('texts of releases', () => {
  it('have their hashes in the page where another server holds them out, also of the release before [P30, P63]', async () => {
    const store = openFolderStore(path.join(mkdtempSync(path.join(tmpdir(), 'dmp-texts-')), 'releases'))
    await put(store, aBuild('host', ['/dashboard']), buildInGerman('one'))
    await put(store, buildInGerman('two'))
    const open = async (releases?: string): Promise<string> => {
      const app = fastify()
      registerGateway(app, { store, runtimeSettings, ...(releases !== undefined && { releases }) })
      const { body } = await app.inject('/scan')
      await app.close()
      return body
    }
    const elsewhere = await open('https://cdn.example.org/releases')
    const snapshot = block(elsewhere, 'dmp-snapshot') as PageSnapshot
    const [scan] = snapshot.remotes
    expect(block(elsewhere, 'dmp-texts')).toEqual({
      [`host/${snapshot.host}`]: {},
      [`remote-scan/${scan?.releaseId}`]: { de: toHash('two') },
      [`remote-scan/${scan?.previous?.releaseId}`]: { de: toHash('one') },
    })
    // What this server sends it compares itself.
    expect(await open()).not.toContain('dmp-texts')
  })
})
