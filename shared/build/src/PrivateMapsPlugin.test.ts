import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import TerserPlugin from 'terser-webpack-plugin'
import { compile } from './build.ts'
import { PrivateMapsPlugin } from './PrivateMapsPlugin.ts'

/** Builds one source as parts are built, and reads what came out. */
async function build(code: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'dmp-maps-'))
  mkdirSync(path.join(folder, 'src'))
  writeFileSync(path.join(folder, 'src/main.js'), code)
  const dist = path.join(folder, 'dist')
  await compile({
    name: 'test',
    mode: 'production',
    context: folder,
    entry: './src/main.js',
    devtool: false,
    target: ['web', 'es2022'],
    output: { path: dist, filename: '[name].[contenthash:8].js' },
    optimization: { minimizer: [new TerserPlugin({ minify: TerserPlugin.swcMinify, extractComments: false })] },
    plugins: [new PrivateMapsPlugin()],
    cache: false,
  })
  const script = readdirSync(dist).find((name) => name.endsWith('.js')) ?? ''
  const map = readFileSync(path.join(dist, `private-maps/${script}.map`), 'utf8')
  return { script, code: readFileSync(path.join(dist, script), 'utf8'), map, files: readdirSync(dist) }
}

const source = `// A comment.
const listed = [...document.querySelectorAll('p')]
for (const element of listed) element.remarkable.value()
`

describe('the private maps of a production build [P84]', () => {
  it('lead from a place in a script to the line, column and name in its source', async () => {
    const { code, map } = await build(source)
    const [line, column] = [0, code.indexOf('remarkable')]
    const found = new SourceMap(JSON.parse(map) as SourceMapPayload).findEntry(line, column)
    expect(found).toMatchObject({ originalSource: 'src/main.js', originalLine: 2, name: 'remarkable' })
  })

  it('hold no sources and no place on this computer, and no script mentions one', async () => {
    const { code, map, files } = await build(source)
    expect(Object.keys(JSON.parse(map) as object)).toEqual(['version', 'sources', 'names', 'mappings'])
    expect(map).not.toMatch(/A comment|dmp-maps|querySelectorAll\(/)
    expect(code).not.toContain('sourceMappingURL')
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([])
  })

  it('take no part in the names of files: a changed comment is no other release', async () => {
    const [one, two] = [await build(source), await build(source.replace('A comment.', 'Another comment.\n// Of two.'))]
    expect(two.script).toBe(one.script)
    expect(two.map).not.toBe(one.map)
  })
})
