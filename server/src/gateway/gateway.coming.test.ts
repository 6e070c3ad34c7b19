import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { someSettings } from '@dmp/contract/examples'
import { openFolderStore } from '@dmp/release/store/folderStore'
import { fastify, type FastifyInstance } from 'fastify'
import { imageViewer } from '../core/imageViewer.ts'
import { registerGateway } from './gateway.ts'
import { aBuild, put } from './testing/builds.ts'

const coming = new Set<string>()
const store = openFolderStore(path.join(mkdtempSync(path.join(tmpdir(), 'dmp-coming-')), 'releases'))
let app: FastifyInstance

beforeAll(async () => {
  app = fastify()
  registerGateway(app, { store, runtimeSettings: someSettings(), listComing: () => [...coming] })
  await app.ready()
  await put(store, aBuild('host', ['/login']))
})
afterAll(() => app.close())
afterEach(() => coming.clear())

const settingsOf = (html: string) =>
  JSON.parse(/id="dmp-settings">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null') as { coming?: string[] }

describe('a product that can be used before all of it is built', () => {
  it('tells its pages what is still coming, and nothing when all is there', async () => {
    coming.add(imageViewer)
    expect(settingsOf((await app.inject('/login')).body).coming).toEqual(['the image viewer'])
    coming.clear()
    expect(settingsOf((await app.inject('/login')).body)).not.toHaveProperty('coming')
  })

  it('shows who opens the viewer that it is coming, and asks again by itself', async () => {
    coming.add(imageViewer)
    const { statusCode, headers, body } = await app.inject('/viewer/?share=1')
    expect([statusCode, headers['retry-after'], headers['cache-control']]).toEqual([503, '5', 'no-store'])
    expect(body).toContain('<h1>The image viewer is still being built</h1>')
    expect(body).toContain('<meta http-equiv="refresh" content="5">')
  })

  it('has no viewer where none is coming', async () => {
    expect((await app.inject('/viewer/')).statusCode).toBe(404)
  })
})
