import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { BuildRecord } from '@dmp/contract/release'
import type { Declaration } from '@dmp/contract/remote'
import webpack from 'webpack'

type SharedVersions = Pick<BuildRecord, 'provides' | 'consumes'>

/** Writes `build.json`: the facts about a build that its release and the page need, read from webpack's own graph. */
export class BuildRecordPlugin {
  readonly #name: string
  readonly #declaration: Declaration | undefined
  readonly #versions: SharedVersions

  constructor(name: string, declaration: Declaration | undefined, versions: SharedVersions) {
    this.#name = name
    this.#declaration = declaration
    this.#versions = versions
  }

  apply(compiler: webpack.Compiler): void {
    compiler.hooks.thisCompilation.tap('BuildRecord', (compilation) => {
      compilation.hooks.processAssets.tap(
        { name: 'BuildRecord', stage: webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT },
        () => {
          const text = `${JSON.stringify(this.#record(compilation), null, 1)}\n`
          compilation.emitAsset('build.json', new webpack.sources.RawSource(text))
        },
      )
    })
  }

  #record(compilation: webpack.Compilation): BuildRecord {
    const entrypoint = [...compilation.entrypoints.values()].at(-1)
    if (entrypoint === undefined)
      throw new Error(`${this.#name} has no entry point. Set entry in its webpack configuration.`)
    const files = listLoaded(entrypoint)
    const first = entrypoint.getRuntimeChunk() ?? undefined
    const entry = files.find((file) => file.endsWith('.js') && (first?.files.has(file) ?? true))
    if (entry === undefined)
      throw new Error(`The entry point of ${this.#name} produces no script. Import a module from it.`)
    const exposed = [...compilation.namedChunkGroups].filter(([name, group]) => name !== null && !group.isInitial())
    const provided = Object.keys(this.#versions.provides)
    const isRemote = Object.keys(this.#versions.consumes).length > 0
    const own = isRemote ? [...exposed, ...findScreens(compilation)] : exposed
    return {
      name: this.#name,
      ...(this.#declaration === undefined ? {} : { declaration: this.#declaration }),
      entry,
      initial: files.filter((file) => file !== entry),
      chunks:
        isRemote || provided.length === 0
          ? Object.fromEntries(own.map(([name, group]) => [`./${name}`, listLoaded(group)]))
          : findSharedChunks(compilation, provided),
      uses: isRemote
        ? Object.fromEntries(own.map(([name, group]) => [`./${name}`, listConsumedModules(compilation, group)]))
        : {},
      ...this.#versions,
    }
  }
}

/** Files that a page loads: no source maps, and no updates of files that an open page has. */
const listLoaded = (group: webpack.ChunkGroup): string[] =>
  group.getFiles().filter((file) => !/\.map$|\.hot-update\./.test(file))

/**
 * Screens that come apart from `./App`, by the folder that names their segment of the address: `App/worklist`. Of a
 * list and a detail in one folder it is the first that `App.tsx` names.
 */
function findScreens(compilation: webpack.Compilation): [string, webpack.ChunkGroup][] {
  const screens = new Map<string, webpack.ChunkGroup>()
  for (const block of [...compilation.modules].flatMap((module) => module.blocks)) {
    const { request } = block as { request?: string }
    const segment = /^\.\/([a-z0-9-]+)\/\w+Screen\.tsx$/.exec(request ?? '')?.[1]
    const group = segment && compilation.chunkGraph.getBlockChunkGroup(block)
    if (group && !screens.has(`App/${segment}`)) screens.set(`App/${segment}`, group)
  }
  return [...screens]
}

/** Shared modules that the chunks of an exposed module take from the host. */
function listConsumedModules(compilation: webpack.Compilation, group: webpack.ChunkGroup): string[] {
  const modules = group.chunks.flatMap((chunk) => [...compilation.chunkGraph.getChunkModulesIterable(chunk)])
  const keys = modules
    .filter((module) => module.type === 'consume-shared-module')
    .map((module) => (module as unknown as { options: { shareKey: string } }).options.shareKey)
  return [...new Set(keys)].sort()
}

/** The host's scripts for each shared module that is not in its first script. */
function findSharedChunks(compilation: webpack.Compilation, shared: readonly string[]): Record<string, string[]> {
  const chunks: Record<string, string[]> = {}
  for (const module of compilation.modules) {
    const key =
      module.type === 'provide-module' ? shared.find((name) => module.identifier().includes(` ${name}@`)) : undefined
    if (key === undefined) continue
    const groups = module.blocks
      .map((block) => compilation.chunkGraph.getBlockChunkGroup(block))
      .filter((group) => group !== null && group !== undefined)
    const files = [...new Set(groups.flatMap((group) => listLoaded(group)))]
    if (files.length > 0) chunks[key] = files
  }
  return chunks
}

/** Reads a part's `remote.json`, which is validated when the release is published. */
export const readDeclaration = (folder: string): Declaration =>
  readJsonFile(path.join(folder, 'remote.json')) as Declaration

/** Throws a sentence that names the file and says where in it. */
export function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`${path.basename(file)} is not readable as JSON: ${why}. Mend that place of the file.`, {
      cause: error,
    })
  }
}
