import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { BillOfMaterialsPlugin } from './BillOfMaterialsPlugin.ts'
import { compile } from './build.ts'

function install(folder: string, name: string, more: object, code: string): void {
  const place = path.join(folder, 'node_modules', name)
  mkdirSync(path.join(place, 'esm'), { recursive: true })
  writeFileSync(path.join(place, 'package.json'), JSON.stringify({ name, main: 'esm/index.js', ...more }))
  // As packages do that hold two kinds of modules.
  writeFileSync(path.join(place, 'esm/package.json'), '{"type":"module","sideEffects":false}')
  writeFileSync(path.join(place, 'esm/index.js'), code)
}

async function build(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dmp-bill-'))
  writeFileSync(path.join(folder, 'package.json'), '{"name":"remote-test","version":"1.2.3","license":"UNLICENSED"}')
  install(folder, '@scope/used', { version: '2.0.0', license: 'MIT' }, 'export const used = () => document.used')
  install(
    folder,
    'joined',
    { version: '3.0.0', license: '(MIT OR Apache-2.0)' },
    'export const joined = () => document.joined',
  )
  install(folder, 'shaken', { version: '4.0.0', license: 'MIT' }, 'export const shaken = () => document.shaken')
  install(folder, 'shared', { version: '5.0.0', license: 'MIT' }, 'export const shared = () => document.shared')
  writeFileSync(
    path.join(folder, 'main.js'),
    `import { used } from '@scope/used'\nimport { joined } from 'joined'\nimport { shaken } from 'shaken'\n` +
      `import { shared } from 'shared'\nconsole.log(used(), joined(), shared())`,
  )
  await compile({
    name: 'test',
    mode: 'production',
    context: folder,
    entry: './main.js',
    target: ['web', 'es2022'],
    output: { path: path.join(folder, 'dist') },
    externals: { shared: 'window.shared' },
    plugins: [new BillOfMaterialsPlugin()],
    cache: false,
  })
  return readFileSync(path.join(folder, 'dist/sbom.cdx.json'), 'utf8')
}

describe('the bill of materials of a build', () => {
  it('lists what is in the bundle and nothing else', async () => {
    const text = await build()
    expect(JSON.parse(text)).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: { component: { type: 'application', name: 'remote-test', version: '1.2.3' } },
      components: [
        { purl: 'pkg:npm/%40scope/used@2.0.0', name: '@scope/used', licenses: [{ license: { id: 'MIT' } }] },
        { purl: 'pkg:npm/joined@3.0.0', licenses: [{ expression: '(MIT OR Apache-2.0)' }] },
      ],
    })
    expect((JSON.parse(text) as { components: object[] }).components).toHaveLength(2)
    expect(await build()).toBe(text)
  })
})
