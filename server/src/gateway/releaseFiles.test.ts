import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RuntimeSettings } from '@dmp/contract/settings'
import { publish } from '@dmp/release/publish'
import { openFolderStore } from '@dmp/release/store/folderStore'
import { fastify, type FastifyInstance } from 'fastify'
import { registerGateway } from './gateway.ts'
import { aBuild, put } from './testing/builds.ts'

const settings = { applicationName: 'X', apiRoot: '/api', liveUrl: '/live' } as unknown as RuntimeSettings
const store = openFolderStore(path.join(mkdtempSync(path.join(tmpdir(), 'dmp-gateway-')), 'releases'))
let app: FastifyInstance
beforeAll(async () => {
  app = fastify()
  registerGateway(app, { store, runtimeSettings: settings })
  await app.ready()
})
afterAll(() => app.close())

describe('files of releases', () => {
  it.each(['viewer', 'remote-scan'])(
    'are no pages of this origin, whatever a team brings in a release of %s [P30, P64]',
    async (part) => {
      const dist = aBuild(part, part === 'viewer' ? [] : ['/scan'])
      const documents = {
        html: '<script src="App.js"></script>',
        svg: '<svg><script href="App.js"/></svg>',
        xml: '<x/>',
      }
      for (const [type, text] of Object.entries(documents)) writeFileSync(path.join(dist, `page.${type}`), text)
      // Stored, and not live.
      const { releaseId } = await publish(store, dist, { commit: 'abc' })
      for (const type of Object.keys(documents)) {
        const { statusCode, headers } = await app.inject(`/releases/${part}/${releaseId}/page.${type}`)
        expect([type, statusCode, headers['content-security-policy'], headers['x-content-type-options']]).toEqual([
          type,
          200,
          "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
          'nosniff',
        ])
        expect(headers['content-type']).toBe(type === 'svg' ? 'image/svg+xml' : 'application/octet-stream')
      }
    },
  )
})

it('a page is there whatever its part says that it uses [P64]', async () => {
  const dist = aBuild('remote-user', ['/user'])
  const file = path.join(dist, 'build.json')
  const record = JSON.parse(readFileSync(file, 'utf8')) as object
  writeFileSync(file, JSON.stringify({ ...record, uses: { './App': ['constructor', 'toString'] } }))
  await put(store, aBuild('host', ['/dashboard']), dist)
  expect((await app.inject('/user')).statusCode).toBe(200)
})
