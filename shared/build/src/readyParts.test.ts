import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import webpack from 'webpack'
import { MapsOnDemandPlugin } from './MapsOnDemandPlugin.ts'
import { ReadyParts, type Built } from './readyParts.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'dmp-ready-'))
const maps = new Map(['host', 'viewer'].map((name) => [name, new MapsOnDemandPlugin()]))
const compilers = ['host', 'viewer'].map((name) =>
  webpack({
    name,
    mode: 'development',
    devtool: false,
    context: folder,
    entry: { main: './main.js' },
    output: { path: path.join(folder, name) },
    plugins: [maps.get(name)!],
    cache: false,
  }),
)
const run = (name: string): Promise<void> =>
  new Promise((resolve, reject) =>
    compilers.find((compiler) => compiler.name === name)!.run((error) => (error ? reject(error) : resolve())),
  )

describe('parts that are compiled beside each other', () => {
  it('are told to pages, and give them their files, each as soon as it is there', async () => {
    writeFileSync(path.join(folder, 'main.js'), 'console.info(1)')
    writeFileSync(path.join(folder, 'secret.js'), 'not of a part')
    const told: Built[] = []
    const ready = new ReadyParts(maps)
    ready.watch(compilers, (built) => told.push(built))
    let isSettled = false
    const settled = ready.all().then(() => (isSettled = true))
    expect(ready.find('host', 'main.js')).toBeUndefined()
    await run('host')
    expect(told.map(({ name, hash }) => [name, hash.length > 0])).toEqual([['host', true]])
    expect(ready.find('host', 'main.js')?.content.toString()).toContain('console.info(1)')
    expect(ready.find('host', 'main.js.map')?.type).toBe('application/json; charset=utf-8')
    for (const file of ['other.js', '../secret.js', 'main']) expect(ready.find('host', file)).toBeUndefined()
    expect([ready.find('viewer', 'main.js'), ready.find('other', 'main.js'), isSettled]).toEqual([
      undefined,
      undefined,
      false,
    ])
    await run('viewer')
    await settled
    compilers[0]!.hooks.invalid.call('main.js', 1)
    expect([ready.find('host', 'main.js'), ready.find('viewer', 'main.js') !== undefined]).toEqual([undefined, true])
  })

  it('are not told where they do not compile: that has words of its own', async () => {
    writeFileSync(path.join(folder, 'main.js'), 'console.info(')
    const told: Built[] = []
    const ready = new ReadyParts(maps)
    ready.watch(compilers, (built) => told.push(built))
    await run('host')
    expect(told).toEqual([])
  })
})
