import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import TerserPlugin from 'terser-webpack-plugin'
import { textsRule, typescriptRule } from './baseConfig.ts'
import { compile } from './build.ts'
import { PrivateMapsPlugin } from './PrivateMapsPlugin.ts'

/** Builds one source as parts are built, and reads what came out. */
async function build(code: string, file = 'main.js') {
  const folder = mkdtempSync(path.join(tmpdir(), 'dmp-maps-'))
  mkdirSync(path.join(folder, 'src'))
  writeFileSync(path.join(folder, 'src', file), code)
  const dist = path.join(folder, 'dist')
  await compile({
    name: 'test',
    mode: 'production',
    context: folder,
    entry: `./src/${file}`,
    devtool: false,
    target: ['web', 'es2022'],
    output: { path: dist, filename: '[name].[contenthash:8].js' },
    optimization: { minimizer: [new TerserPlugin({ minify: TerserPlugin.swcMinify, extractComments: false })] },
    module: { rules: [textsRule, typescriptRule] },
    externals: { 'react/jsx-runtime': 'var {}' },
    plugins: [new PrivateMapsPlugin()],
    cache: false,
  })
  const script = readdirSync(dist).find((name) => name.endsWith('.js')) ?? ''
  const map = readFileSync(path.join(dist, `private-maps/${script}.map`), 'utf8')
  return { script, code: readFileSync(path.join(dist, script), 'utf8'), map, files: readdirSync(dist) }
}

const screen = `interface Row {
  readonly id: number
}

type Rows = readonly Row[]

export function ReportScreen({ rows }: { readonly rows: Rows }) {
  const first: Row | undefined = rows[0]
  if (first === undefined)
    throw new Error('no rows')
  return (
    <section>
      <h1>Reports of today</h1>
      <button
        onClick={() => {
          window.brokenHandler()
        }}
      >
        Open the first report
      </button>
    </section>
  )
}
console.log(ReportScreen)
`

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

  it('lead to the lines of a screen as it was written, and say in which function each is [P97]', async () => {
    const { code, map } = await build(screen, 'Report.tsx')
    const positions = new SourceMap(JSON.parse(map) as SourceMapPayload)
    const { sources, functions } = JSON.parse(map) as { sources: string[]; functions: (number | string)[][][] }
    const lineOf = (text: string) => screen.split('\n').findIndex((line) => line.includes(text))
    for (const text of ['no rows', 'brokenHandler']) {
      const before = code.slice(0, code.indexOf(text)).split('\n')
      const found = positions.findEntry(before.length - 1, before.at(-1)!.length)
      expect(found).toMatchObject({ originalSource: 'src/Report.tsx', originalLine: lineOf(text) })
    }
    expect(functions[sources.indexOf('src/Report.tsx')]).toEqual([
      [7, 7, 23, 1, 'ReportScreen'],
      [15, 17, 17, 9, 'onClick'],
    ])
  })

  it('hold no sources and no place on this computer, and no script mentions one', async () => {
    const { code, map, files } = await build(source)
    expect(Object.keys(JSON.parse(map) as object)).toEqual(['version', 'sources', 'names', 'mappings', 'functions'])
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
