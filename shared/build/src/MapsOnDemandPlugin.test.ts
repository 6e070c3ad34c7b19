import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { typescriptRule } from './baseConfig.ts'
import { compile } from './build.ts'
import { MapsOnDemandPlugin, toAddress } from './MapsOnDemandPlugin.ts'

const source = 'export const size: number = 7\nconsole.info(size)\n'

describe('the source maps of the development server', () => {
  let folder: string
  let maps: MapsOnDemandPlugin
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'dmp maps ß-'))
    maps = new MapsOnDemandPlugin()
    writeFileSync(path.join(folder, 'main.ts'), source)
    await compile({
      name: 'test',
      mode: 'development',
      devtool: false,
      context: folder,
      entry: { main: './main.ts' },
      output: { path: path.join(folder, 'dist'), filename: '[name].js' },
      module: { rules: [typescriptRule] },
      plugins: [maps],
      cache: false,
    })
  })

  it('are named by the script, and put together only when they are asked for', () => {
    expect(readFileSync(path.join(folder, 'dist/main.js'), 'utf8')).toMatch(/\n\/\/# sourceMappingURL=main\.js\.map$/)
    expect(existsSync(path.join(folder, 'dist/main.js.map'))).toBe(false)
    const map = JSON.parse(maps.find('main.js.map') ?? '{}') as { sources: string[]; sourcesContent: string[] }
    const place = map.sources.indexOf(pathToFileURL(path.join(folder, 'main.ts')).href)
    expect(map.sourcesContent[place]).toBe(source)
    expect(maps.find('other.js.map')).toBeUndefined()
  })

  it('name each source by its own address, without the loaders that it went through', () => {
    const own = pathToFileURL(path.join(folder, 'src/App.tsx')).href
    expect(toAddress(folder, 'webpack://../loader/index.js??rules[1]!./src/App.tsx?again')).toBe(own)
    const encoded = `webpack://./${encodeURI('Über uns/100 %.tsx')}`
    expect(toAddress(folder, encoded)).toBe(pathToFileURL(path.join(folder, 'Über uns/100 %.tsx')).href)
    expect(toAddress(folder, 'webpack://./100 %.tsx')).toBe(pathToFileURL(path.join(folder, '100 %.tsx')).href)
    expect(toAddress(folder, 'webpack://webpack/runtime/chunk loaded')).toBe('webpack:///webpack/runtime/chunk loaded')
  })
})
