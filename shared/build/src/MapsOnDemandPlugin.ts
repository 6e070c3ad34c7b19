import path from 'node:path'
import { pathToFileURL } from 'node:url'
import webpack from 'webpack'

const name = 'MapsOnDemand'
const { ConcatSource, RawSource } = webpack.sources

/**
 * Source maps that are put together when a debugger asks for one. The map of a whole part takes half a second, and
 * after an edit nobody waits for it but a debugger.
 */
export class MapsOnDemandPlugin {
  readonly #files = new Map<string, webpack.sources.Source>()
  /** A file that did not change stays the same object, so that it is not written again. */
  readonly #addressed = new WeakMap<webpack.sources.Source, webpack.sources.Source>()
  #context = ''

  apply(compiler: webpack.Compiler): void {
    this.#context = compiler.context
    // Modules keep what maps are made of; no file has its map made here.
    new webpack.SourceMapDevToolPlugin({ test: /(?!)/, module: true, columns: false }).apply(compiler)
    compiler.hooks.compilation.tap(name, (compilation) => {
      compilation.hooks.processAssets.tap(
        { name, stage: webpack.Compilation.PROCESS_ASSETS_STAGE_DEV_TOOLING, additionalAssets: true },
        (assets) => {
          // Of a compilation inside of another, the files are not the part's.
          if (compilation.compiler !== compiler) return
          for (const [file, source] of Object.entries(assets))
            if (/\.(?:js|css)$/.test(file)) compilation.updateAsset(file, this.#address(file, source))
        },
      )
    })
  }

  /** The map of a file that was compiled, by the map's name; undefined where there is none. */
  find(map: string): string | undefined {
    const file = map.replace(/\.map$/, '')
    const made = this.#files.get(file)?.map({ columns: false, module: true }) as SourceMap | null | undefined
    if (!made) return undefined
    return JSON.stringify({ ...made, file, sources: made.sources.map((source) => toAddress(this.#context, source)) })
  }

  #address(file: string, source: webpack.sources.Source): webpack.sources.Source {
    const known = this.#addressed.get(source)
    if (known !== undefined) return known
    const comment = `sourceMappingURL=${path.basename(file)}.map`
    const addressed = new ConcatSource(
      source,
      new RawSource(file.endsWith('.css') ? `\n/*# ${comment} */` : `\n//# ${comment}`),
    )
    this.#files.set(file, source)
    this.#addressed.set(source, addressed)
    return addressed
  }
}

interface SourceMap {
  readonly sources: readonly string[]
}

/** A debugger finds a source by its own address, whichever part it was compiled into. */
export function toAddress(context: string, source: string): string {
  const [file = ''] = source
    .replace(/^webpack:\/\//, '')
    .split('!')
    .at(-1)!
    .split('?')
  if (!/^(?:\.{0,2}\/|[A-Za-z]:)/.test(file)) return `webpack:///${file}`
  return pathToFileURL(path.resolve(context, decode(file))).href
}

/** A map that was put together from two has its paths encoded already: a folder may have spaces and umlauts. */
function decode(file: string): string {
  try {
    return decodeURI(file)
  } catch {
    return file
  }
}
