import webpack from 'webpack'

/**
 * Webpack's own code for taking shared modules compares versions and chooses among providers. Here a page has one provider, and whether it suits
 * was judged before it became live: what is left is to take each module once from the share scope, or to say which one is missing. The runtime's own
 * code for sharing (`disableShared` in `federation.ts`) is then needed by nobody; it saves half of a remote's first script.
 */
export class HostSharedModulesPlugin {
  apply(compiler: webpack.Compiler): void {
    compiler.hooks.thisCompilation.tap('TakenFromHost', (compilation) => {
      compilation.hooks.runtimeModule.tap('TakenFromHost', (module) => {
        if (module.constructor.name === 'ConsumeSharedRuntimeModule')
          module.generate = () => generateConsumes(compilation, module.chunk)
        if (module.constructor.name === 'ShareRuntimeModule') module.generate = () => emptyShareScope
      })
    })
  }
}

const { initializeSharing, shareScopeMap } = webpack.RuntimeGlobals

/** The container's `init` puts the host's scope here; this part has nothing to add to it. */
const emptyShareScope = `${shareScopeMap} = {}; ${initializeSharing} = () => true;`

function generateConsumes(compilation: webpack.Compilation, first: webpack.Chunk | undefined): string {
  const { ensureChunkHandlers, moduleFactories, moduleCache, hasOwnProperty } = webpack.RuntimeGlobals
  const keys: Record<string, string> = {}
  const chunks: Record<string, (string | number)[]> = {}
  for (const chunk of first?.getAllAsyncChunks() ?? []) {
    for (const module of compilation.chunkGraph.getChunkModulesIterableBySourceType(chunk, 'consume-shared') ?? []) {
      const id = compilation.chunkGraph.getModuleId(module)
      if (id === null || chunk.id === null) continue
      keys[id] = (module as unknown as { options: { shareKey: string } }).options.shareKey
      ;(chunks[chunk.id] ??= []).push(id)
    }
  }
  // Styles are made by running modules while building; nothing is taken there.
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
