import { createHash } from 'node:crypto'
import webpack from 'webpack'

const createPlaceholder = (chunk: string | number): string =>
  `sha384-${createHash('sha384').update(`placeholder ${chunk}`).digest('base64')}`

/**
 * Puts the sha384 of every later script into a part's first script. The page gives the hash of the first script, so
 * that one hash covers them all. Placeholders of equal length are replaced after the last change to the files.
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
    const { chunk: runtimeChunk } = this
    const laterIds =
      runtimeChunk === undefined
        ? []
        : [...runtimeChunk.getAllAsyncChunks()].map((chunk) => chunk.id).filter((id) => id !== null)
    return `${webpack.RuntimeGlobals.require}.hashes = ${JSON.stringify(Object.fromEntries(laterIds.map((id) => [id, createPlaceholder(id)])))};`
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
      if (file.endsWith('.js')) compilation.updateAsset(file, (source) => replacePlaceholders(source, hashes))
  }
}

function replacePlaceholders(
  source: webpack.sources.Source,
  hashes: ReadonlyMap<string, string>,
): webpack.sources.Source {
  const text = source.source().toString()
  const replaced = new webpack.sources.ReplaceSource(source)
  for (const [placeholder, hash] of hashes) {
    const start = text.indexOf(placeholder)
    if (start >= 0) replaced.replace(start, start + placeholder.length - 1, hash)
  }
  return replaced
}
