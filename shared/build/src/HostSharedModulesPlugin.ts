import webpack from 'webpack'

/**
 * Replaces webpack's code for shared modules, which compares versions and chooses a provider. Here the host is the only
 * provider, and the preflight has checked its versions. So each module is taken once from the share scope, or an error
 * names the missing one. With `disableShared` in `federation.ts` this halves a remote's first script.
 */
export class HostSharedModulesPlugin {
  apply(compiler: webpack.Compiler): void {
    compiler.hooks.thisCompilation.tap('HostSharedModules', (compilation) => {
      compilation.hooks.runtimeModule.tap('HostSharedModules', (module) => {
        if (module.constructor.name === 'ConsumeSharedRuntimeModule')
          module.generate = () => generateConsumes(compilation, module.chunk)
        if (module.constructor.name === 'ShareRuntimeModule') module.generate = () => emptyShareScope
      })
    })
  }
}

const { initializeSharing, shareScopeMap } = webpack.RuntimeGlobals

/** The container's `init` puts the host's scope here; a remote adds nothing to it. */
const emptyShareScope = `${shareScopeMap} = {}; ${initializeSharing} = () => true;`

function generateConsumes(compilation: webpack.Compilation, runtimeChunk: webpack.Chunk | undefined): string {
  const { ensureChunkHandlers, moduleFactories, moduleCache, hasOwnProperty } = webpack.RuntimeGlobals
  const keys: Record<string, string> = {}
  const chunks: Record<string, (string | number)[]> = {}
  for (const chunk of runtimeChunk?.getAllAsyncChunks() ?? []) {
    for (const module of compilation.chunkGraph.getChunkModulesIterableBySourceType(chunk, 'consume-shared') ?? []) {
      const id = compilation.chunkGraph.getModuleId(module)
      if (id === null || chunk.id === null) continue
      keys[id] = (module as unknown as { options: { shareKey: string } }).options.shareKey
      ;(chunks[chunk.id] ??= []).push(id)
    }
  }
  // mini-css-extract-plugin runs modules during the build, where nothing is shared.
  if (Object.keys(keys).length === 0) return ''
  return `
var keys = ${JSON.stringify(keys)}, needed = ${JSON.stringify(chunks)}, taken = {};
var take = async (id) => {
  var versions = (${shareScopeMap}.default || {})[keys[id]];
  if (!versions) throw new Error("Shared module " + keys[id] + " doesn't exist in shared scope default");
  var factory = await Object.values(versions)[0].get();
  ${moduleFactories}[id] = (module) => { delete ${moduleCache}[id]; module.exports = factory(); };
};
${ensureChunkHandlers}.consumes = (chunk, promises) => {
  if (${hasOwnProperty}(needed, chunk)) needed[chunk].forEach((id) => {
    promises.push(taken[id] = taken[id] || take(id).catch((error) => { delete taken[id]; throw error; }));
  });
};`
}
