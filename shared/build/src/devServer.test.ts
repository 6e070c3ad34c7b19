import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { serveRemote, type DevServer } from './devServer.ts'
import { workspace } from './workspace.ts'

const origin = 'http://localhost:4000'
const declaration = {
  name: 'remote-test',
  routes: [{ prefix: '/test', guard: 'session' }],
  cards: [{ name: 'NewestTestsCard' }],
  needs: { contract: '^1.0.0', kit: '^1.0.0' },
}

function createRemote(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'dmp-remote-'))
  mkdirSync(path.join(folder, 'src'))
  writeFileSync(path.join(folder, 'remote.json'), JSON.stringify(declaration))
  writeFileSync(path.join(folder, 'src/index.ts'), `export const App: string = 'the route table'`)
  writeFileSync(path.join(folder, 'src/cards.ts'), `export const NewestTestsCard = () => null`)
  const configuration = JSON.stringify(path.join(import.meta.dirname, 'remoteConfig.ts'))
  writeFileSync(
    path.join(folder, 'webpack.config.ts'),
    `import { remoteConfig } from ${configuration}\nexport default remoteConfig(${JSON.stringify(folder)})\n`,
  )
  return folder
}

describe('a remote that is served from its sources', () => {
  const folder = createRemote()
  const results: (string | undefined)[] = []
  let server: DevServer

  beforeAll(async () => {
    server = await serveRemote(
      { name: 'remote-test', folder, kind: 'remote' },
      { origins: [origin], port: 0, onBuilt: ({ errors }) => void results.push(errors) },
    )
    await server.built
  })
  afterAll(async () => {
    await server.stop()
    rmSync(path.join(workspace, '.cache/serve', path.basename(folder)), { recursive: true, force: true })
  })
  const request = (file: string, from = origin) => fetch(`${server.address}/${file}`, { headers: { origin: from } })

  it('compiles, and says so', () => {
    expect(results).toEqual([undefined])
  })

  it('is a container under a stable name, with hot modules and no hashes', async () => {
    const response = await request('remoteEntry.js')
    const script = await response.text()
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(script).toContain('window.remote_test')
    expect(script).not.toContain('sha384-')
    expect(await (await request('App.js')).text()).toContain('.hot.accept(')
    expect(await (await request('cards.js')).text()).toContain('NewestTestsCard')
  })

  it('may be read by pages of the host, and by no others', async () => {
    const allowed = await request('remote.json')
    expect(allowed.headers.get('access-control-allow-origin')).toBe(origin)
    expect(allowed.headers.get('vary')).toContain('Origin')
    const foreign = await request('remote.json', 'http://localhost:5000')
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('declares what its remote.json says now', async () => {
    expect(await (await request('remote.json')).json()).toEqual(declaration)
    writeFileSync(path.join(folder, 'remote.json'), JSON.stringify({ ...declaration, cards: [] }))
    expect(await (await request('remote.json')).json()).toEqual({ ...declaration, cards: [] })
  })
})
