import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RuntimeSettings } from '@dmp/contract/settings'
import { openFolderStore } from '@dmp/release/store/folderStore'
import { fastify } from 'fastify'
import { registerGateway } from './gateway.ts'
import { aBuild, put } from './testing/builds.ts'

const settings = { applicationName: 'DMP', apiRoot: '/api', liveUrl: '/live' } as unknown as RuntimeSettings
const scripts = (html: string): string[] =>
  [...html.matchAll(/<script (\w+) src="\/releases\/([\w-]+)\/[0-9a-f]{16}\/([\w.]+)"/g)].map(
    ([, order, name, file]) => `${order} ${name}/${file}`,
  )

it('asks at once for a screen that comes apart from the others of its remote, at its address alone', async () => {
  const store = openFolderStore(path.join(mkdtempSync(path.join(tmpdir(), 'dmp-pages-')), 'releases'))
  await put(store, aBuild('host', ['/dashboard']), aBuild('remote-scan', ['/scan']))
  const app = fastify()
  registerGateway(app, { store, runtimeSettings: settings })
  for (const path of ['/scan/worklist', '/Scan/worklist?page=2'])
    expect(scripts((await app.inject(path)).body)).toEqual([
      'defer host/main.js',
      'defer remote-scan/remoteEntry.js',
      'async remote-scan/App.js',
      'async remote-scan/worklist.js',
      'async host/table.js',
    ])
  for (const path of ['/scan', '/scan/worklists', '/scan/constructor'])
    expect((await app.inject(path)).body).not.toContain('worklist.js"')
  await app.close()
})

it('makes no call at the address of a part that another part declared [P14, P65]', async () => {
  const store = openFolderStore(path.join(mkdtempSync(path.join(tmpdir(), 'dmp-pages-')), 'releases'))
  const guest = aBuild('remote-guest', ['/guest'])
  const file = path.join(guest, 'build.json')
  const build = JSON.parse(readFileSync(file, 'utf8')) as { declaration: object }
  const input = { page: 1, pageSize: 10 }
  const firstCalls = ['/guest', '/scan', '/:a', '/dashboard'].map((at) => ({ at, call: 'GET /Scan/listBin', input }))
  writeFileSync(file, JSON.stringify({ ...build, declaration: { ...build.declaration, firstCalls } }))
  await put(store, aBuild('host', ['/dashboard']), aBuild('remote-scan', ['/scan']), guest)
  const app = fastify()
  registerGateway(app, { store, runtimeSettings: settings })
  const count = async (address: string) => (await app.inject(address)).body.split('/Scan/listBin').length - 1
  expect(await count('/guest')).toBe(2)
  for (const address of ['/scan', '/Scan?page=1', '/dashboard']) expect(await count(address)).toBe(0)
  await app.close()
})

describe('the styles of a screen', () => {
  const style = 'a > b { color: red }'
  const visit = async (styles: string): Promise<{ body: string; file: string }> => {
    const store = openFolderStore(path.join(mkdtempSync(path.join(tmpdir(), 'dmp-pages-')), 'releases'))
    const scan = aBuild('remote-scan', ['/scan'])
    const build = path.join(scan, 'build.json')
    writeFileSync(path.join(scan, 'App.0a1b2c3d.css'), styles)
    const record = JSON.parse(readFileSync(build, 'utf8')) as object
    writeFileSync(build, JSON.stringify({ ...record, chunks: { './App': ['App.0a1b2c3d.css', 'App.js'] } }))
    await put(store, aBuild('host', ['/dashboard']), scan)
    const app = fastify()
    registerGateway(app, { store, runtimeSettings: settings })
    const { body, headers } = await app.inject('/scan')
    const [, nonce = ''] = /style-src 'self' 'nonce-([^']+)'/.exec(String(headers['content-security-policy'])) ?? []
    const file = await app.inject(/\/releases\/remote-scan\/[0-9a-f]{16}\//.exec(body)?.[0] + 'App.0a1b2c3d.css')
    await app.close()
    return { body: body.replaceAll(nonce, 'NONCE'), file: file.body }
  }

  it('are in its page where they are small, under the nonce and the name by which its code finds them', async () => {
    const { body, file } = await visit(style)
    expect(body).toContain(`<style data-href="App.0a1b2c3d.css" nonce="NONCE">${style}</style>`)
    expect(body).not.toMatch(/href="[^"]*App\.0a1b2c3d\.css" integrity/)
    expect(file).toBe(style)
  })

  it.each([
    ['are not small', `${style}${' '.repeat(13_000)}`],
    ['could end their element', `${style} /* </style><script>alert(1)</script> */`],
    ['name a file that lies beside them', `a { background: url(ground.png) }`],
  ])('are a file where they %s [P14]', async (_what, styles) => {
    const { body } = await visit(styles)
    expect(body).toMatch(/<link rel="stylesheet" href="[^"]*App\.0a1b2c3d\.css" integrity/)
    expect(body).not.toContain('<style data-href="App')
  })
})
