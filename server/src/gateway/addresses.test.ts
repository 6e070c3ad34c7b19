import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RuntimeSettings } from '@dmp/contract/settings'
import { rollback } from '@dmp/release/activate'
import { openFolderStore, type FolderStore } from '@dmp/release/store/folderStore'
import { fastify, type FastifyInstance } from 'fastify'
import { registerGateway } from './gateway.ts'
import { aBuild, put } from './testing/builds.ts'

const settings = { applicationName: 'DMP', apiRoot: '/api', liveUrl: '/live' } as unknown as RuntimeSettings
let store: FolderStore
let app: FastifyInstance

async function start(releases?: string): Promise<void> {
  app = fastify()
  registerGateway(app, { store, runtimeSettings: settings, releases })
  await app.ready()
}

beforeEach(async () => {
  store = openFolderStore(path.join(mkdtempSync(path.join(tmpdir(), 'dmp-addresses-')), 'releases'))
  await start()
})
afterEach(() => app.close())

/** A host whose packages stay, with this as its own code. */
function host(mark: string, packages = 'react'): string {
  const dist = aBuild('host', ['/dashboard'])
  writeFileSync(path.join(dist, 'main.js'), `/* ${mark} */`)
  writeFileSync(path.join(dist, 'libraries.0a1b2c3d.js'), `/* ${packages} */`)
  const record = path.join(dist, 'build.json')
  const build = JSON.parse(readFileSync(record, 'utf8')) as object
  writeFileSync(record, JSON.stringify({ ...build, initial: ['main.css', 'libraries.0a1b2c3d.js'] }))
  return dist
}

interface Named {
  readonly address: string
  readonly file: string
}

/** Every script and style that a page names, each checked as a browser does. */
async function visit(address = '/scan'): Promise<Named[]> {
  const { body, statusCode } = await app.inject(address)
  expect(statusCode).toBe(200)
  const tags = [...body.matchAll(/ (?:src|href)="(?:https:\/\/cdn\.example)?(\/releases\/[^"]+)" integrity="([^"]+)"/g)]
  return Promise.all(
    tags.map(async ([, named = '', integrity]) => {
      for (const form of [named, named.replace('/releases/', '/releases/again/')]) {
        const file = await app.inject(form)
        expect([form, file.statusCode]).toEqual([form, 200])
        expect(`sha384-${createHash('sha384').update(file.rawPayload).digest('base64')}`).toBe(integrity)
      }
      const [, , part, , name] = named.split('/')
      return { address: named, file: `${part}/${name}` }
    }),
  )
}

/** What a browser that was here before asks for: addresses that it has not had. */
async function asksAgain(before: readonly Named[]): Promise<string[]> {
  const had = new Set(before.map(({ address }) => address))
  return (await visit()).filter(({ address }) => !had.has(address)).map(({ file }) => file)
}

describe('whoever was here before a release asks again for what it changed, and for nothing else [P96]', () => {
  it('after a line of the host, then one of its packages, then one of a remote, and after all was taken back', async () => {
    await put(store, host('one'), aBuild('remote-scan', ['/scan']))
    const first = await visit()
    await put(store, host('two'))
    expect(await asksAgain(first)).toEqual(['host/main.js'])
    const second = await visit()
    await put(store, host('two', 'react, the next'))
    expect((await asksAgain(second)).sort()).toEqual(['host/libraries.0a1b2c3d.js', 'host/main.js'])
    const third = await visit()
    await put(store, aBuild('remote-scan', ['/scan'], 'changed'))
    expect((await asksAgain(third)).sort()).toEqual(['remote-scan/App.js', 'remote-scan/remoteEntry.js'])
    for (let step = 0; step < 4; step += 1) await rollback(store, { by: 'test' })
    await put(store, host('one'), aBuild('remote-scan', ['/scan']))
    expect(await asksAgain(first)).toEqual([])
  })

  it('also where pages get the files from another origin', async () => {
    await app.close()
    await start('https://cdn.example/releases')
    await put(store, host('one'), aBuild('remote-scan', ['/scan']))
    const first = await visit()
    await put(store, host('two'))
    expect(await asksAgain(first)).toEqual(['host/main.js'])
  })

  it('and one that was not here finds every file of a release in the folder of that', async () => {
    await put(store, host('one'), aBuild('remote-scan', ['/scan']))
    await put(store, host('two'))
    const main = (await visit()).find(({ file }) => file === 'host/main.js')?.address ?? ''
    for (const file of ['libraries.0a1b2c3d.js', 'main.css', 'table.js', 'words.woff2'])
      expect((await app.inject(main.replace('main.js', file))).statusCode).toBe(200)
  })
})
