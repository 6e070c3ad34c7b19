import { createHash } from 'node:crypto'
import webpack from 'webpack'

const createPlaceholder = (chunk: string | number): string =>
  `sha384-${createHash('sha384').update(`placeholder ${chunk}`).digest('base64')}`

/**
 * Makes a part's first script carry the sha384 of every script that it may load later, so that the integrity of the first
 * one (given by the page) covers them all. Hashes are put in after the last change to the files, in place of stand-ins of equal length.
 */
export class ChunkIntegrityPlugin {
  apply(compiler: webpack.Compiler): void {
    compiler.hooks.compilation.tap('ChunkIntegrity', (compilation) => {
      setScriptIntegrity(compilation)
      compilation.hooks.runtimeRequirementInTree
        .for(webpack.RuntimeGlobals.loadScript)
        .tap('ChunkIntegrity', (chunk) => compilation.addRuntimeModule(chunk, new ChunkHashesModule()))
      compilation.hooks.processAssets.tap(
        { name: 'ChunkIntegrity', stage: webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_HASH + 50 },
        () => fillInHashes(compilation),
      )
    })
  }
}

const setScriptIntegrity = (compilation: webpack.Compilation): void => {
  const hooks = webpack.runtime.LoadScriptRuntimeModule.getCompilationHooks(compilation)
  hooks.createScript.tap(
    'ChunkIntegrity',
    (source) =>
      `${source}\nif (${webpack.RuntimeGlobals.require}.hashes[chunkId]) script.integrity = ${webpack.RuntimeGlobals.require}.hashes[chunkId];`,
  )
}

class ChunkHashesModule extends webpack.RuntimeModule {
  constructor() {
    super('hashes of later scripts', webpack.RuntimeModule.STAGE_ATTACH)
  }

  override generate(): string {
    const own = this.chunk
    const later =
      own === undefined ? [] : [...own.getAllAsyncChunks()].map((chunk) => chunk.id).filter((id) => id !== null)
    return `${webpack.RuntimeGlobals.require}.hashes = ${JSON.stringify(Object.fromEntries(later.map((id) => [id, createPlaceholder(id)])))};`
  }
}

function fillInHashes(compilation: webpack.Compilation): void {
  const hashes = new Map<string, string>()
  for (const chunk of compilation.chunks) {
    const file = [...chunk.files].find((name) => name.endsWith('.js'))
    const asset = file === undefined || chunk.hasRuntime() ? undefined : compilation.getAsset(file)
    if (asset && chunk.id !== null)
      hashes.set(
        createPlaceholder(chunk.id),
        `sha384-${createHash('sha384').update(asset.source.buffer()).digest('base64')}`,
      )
  }
  for (const chunk of compilation.chunks) {
    if (!chunk.hasRuntime()) continue
    for (const file of chunk.files)
      if (file.endsWith('.js')) compilation.updateAsset(file, (old) => replacePlaceholders(old, hashes))
  }
}

function replacePlaceholders(old: webpack.sources.Source, hashes: ReadonlyMap<string, string>): webpack.sources.Source {
  const text = old.source().toString()
  const replaced = new webpack.sources.ReplaceSource(old)
  for (const [placeholder, hash] of hashes) {
    const at = text.indexOf(placeholder)
    if (at >= 0) replaced.replace(at, at + placeholder.length - 1, hash)
  }
  return replaced
}
