import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { workspace } from './workspace.ts'

const origin = 'http://localhost:4000'
const declaration = {
  name: 'remote-test',
  routes: [{ prefix: '/test', guard: 'session' }],
  cards: [{ name: 'NewestTestsCard' }],
  searches: [{ name: 'searchTests' }],
  needs: { contract: '^1.0.0', kit: '^1.0.0' },
}

function createRemote(app = 'the route table'): string {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'dmp-remote-')), 'remote-test')
  mkdirSync(path.join(folder, 'src'), { recursive: true })
  writeFileSync(path.join(folder, 'remote.json'), JSON.stringify(declaration))
  writeFileSync(path.join(folder, 'src/index.ts'), `export const App: string = '${app}'`)
  writeFileSync(path.join(folder, 'src/cards.ts'), `export const NewestTestsCard = () => null`)
  writeFileSync(path.join(folder, 'src/search.ts'), `export const searchTests = async () => []`)
  const configuration = JSON.stringify(path.join(import.meta.dirname, 'remoteConfig.ts'))
  writeFileSync(
    path.join(folder, 'webpack.config.ts'),
    `import { remoteConfig } from ${configuration}\nexport default remoteConfig(${JSON.stringify(folder)})\n`,
  )
  return folder
}

const program = `
const [module, folder, origin] = process.argv.slice(-3)
const { serveRemote } = await import(module)
let errors = ''
const { address, built } = await serveRemote(
  { name: 'remote-test', folder, kind: 'remote' },
  { origins: [origin], port: 0, onBuilt: (result) => (errors = result.errors ?? '') },
)
await built
console.log(JSON.stringify({ address, errors }))
process.stdin.on('end', () => process.exit(0)).resume()
`

/**
 * Starts the server in a process of its own: webpack reads its own sources in the background, even after a test ends.
 */
async function startServer(folder: string): Promise<{ child: ChildProcess; address: string; errors: string }> {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'dmp-serve-')), 'serve.mjs')
  writeFileSync(file, program)
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', file, path.join(import.meta.dirname, 'devServer.ts'), folder, origin],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, ...(JSON.parse(String(line)) as { address: string; errors: string }) }
}

describe('a remote that is served from its sources', () => {
  const folder = createRemote()
  let server: Awaited<ReturnType<typeof startServer>>

  beforeAll(async () => {
    server = await startServer(folder)
  })
  afterAll(async () => {
    const exit = once(server.child, 'exit')
    server.child.stdin?.end()
    await exit
    for (const name of readdirSync(path.join(workspace, '.cache/serve')))
      if (name.startsWith('remote-test-'))
        rmSync(path.join(workspace, '.cache/serve', name), { recursive: true, force: true })
  })
  const request = (file: string, from = origin) => fetch(`${server.address}/${file}`, { headers: { origin: from } })

  it('compiles without errors', () => {
    expect(server.errors).toBe('')
  })

  it('is a container under a stable name, with hot modules and no hashes', async () => {
    const response = await request('remoteEntry.js')
    const script = await response.text()
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(script).toContain('window.remote_test')
    expect(script).not.toContain('sha384-')
    expect(await (await request('App.js')).text()).toContain('.hot.accept(')
    expect(await (await request('cards.js')).text()).toContain('NewestTestsCard')
    const search = await (await request('search.js')).text()
    expect(search).toContain('searchTests')
    expect(search).not.toContain('useSyncExternalStore')
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

  it('has a port and sources of its own where two copies of it start at once', async () => {
    const copies = await Promise.all(['of one', 'of the other'].map((app) => startServer(createRemote(app))))
    const scripts = copies.map(async ({ address }) => (await fetch(`${address}/App.js`)).text())
    const shown = (await Promise.all(scripts)).map((script) =>
      ['of one', 'of the other'].filter((app) => script.includes(app)),
    )
    for (const { child } of copies) child.stdin?.end()
    expect(shown).toEqual([['of one'], ['of the other']])
    expect(new Set(copies.map(({ address }) => address)).size).toBe(2)
  })
})
