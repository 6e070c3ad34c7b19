import webpack from 'webpack'
import { listFunctions, type NamedFunction } from './functionNames.ts'
import { longestMap, mapsFolder } from './privateMaps.ts'

const name = 'PrivateMaps'

interface SourceMap {
  readonly sources: readonly string[]
  readonly sourcesContent?: readonly (string | null)[]
  readonly names: readonly string[]
  readonly mappings: string
}

/**
 * Writes `private-maps/<script>.map` for each script of a production build, by which the server names sources in the
 * stacks of errors. They hold positions, names and where functions
 * begin and end, and no sources. No script mentions them, and they take no part in
 * the names of files: a changed comment is no other release.
 */
export class PrivateMapsPlugin {
  apply(compiler: webpack.Compiler): void {
    // Modules keep what maps are made of; no file has its map made here.
    new webpack.SourceMapDevToolPlugin({ test: /(?!)/, module: true }).apply(compiler)
    compiler.hooks.thisCompilation.tap(name, (compilation) => {
      const texts: string[] = []
      compilation.hooks.processAssets.tap(
        { name, stage: webpack.Compilation.PROCESS_ASSETS_STAGE_DEV_TOOLING },
        (assets) => {
          for (const [file, source] of Object.entries(assets)) {
            const text = file.endsWith('.js') ? toText(source.map({ columns: true, module: true })) : undefined
            if (text === undefined || text.length > longestMap) continue
            // Files are named by their content later; what is noted of them stays.
            compilation.updateAsset(file, source, { privateMap: texts.push(text) - 1 })
          }
        },
      )
      compilation.hooks.processAssets.tap({ name, stage: webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT }, () => {
        for (const { name: file, info } of compilation.getAssets()) {
          const text = texts[Number(info.privateMap)]
          if (text !== undefined)
            compilation.emitAsset(`${mapsFolder}/${file}.map`, new webpack.sources.RawSource(text))
        }
      })
    })
  }
}

function toText(map: unknown): string | undefined {
  if (typeof map !== 'object' || map === null) return undefined
  const { sources, sourcesContent = [], names, mappings } = map as SourceMap
  const places = sources.map(toPlace)
  const functions = places.map((place, index) => functionsOf(place, sourcesContent[index]))
  return JSON.stringify({ version: 3, sources: places, names, mappings, functions })
}

/** Of what was written here; a function of a package is known by its place. */
function functionsOf(place: string, content: string | null | undefined): NamedFunction[] {
  if (!content || place.startsWith('node_modules/') || !/\.[jt]sx?$/.test(place)) return []
  return listFunctions(place, content)
}

/** A source by its place in the part's folder, without loaders and without the folder's own place on this computer. */
const toPlace = (source: string): string =>
  source
    .replace(/^webpack:\/\//, '')
    .split('!')
    .at(-1)!
    .replace(/^.*\/node_modules\//, 'node_modules/')
    .replace(/^\.\//, '')
