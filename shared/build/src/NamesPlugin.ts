import { createRequire } from 'node:module'
import path from 'node:path'
import webpack from 'webpack'
import { listTaken } from './taken.ts'

const name = 'Names'
const require = createRequire(import.meta.url)

/** The packages whose names are kept for a version after they were given up. */
const packages = ['@dmp/contract', '@dmp/kit']

/**
 * Writes `names.json`: by module of contract and kit, the names that the part takes from it; `*` where it takes a whole
 * module. So it is known who still uses what is to leave.
 */
export class NamesPlugin {
  apply(compiler: webpack.Compiler): void {
    compiler.hooks.thisCompilation.tap(name, (compilation) => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL
      compilation.hooks.processAssets.tap({ name, stage }, () => {
        const taken = new Map<string, Set<string>>()
        for (const packageName of packages)
          for (const { request, ids } of listTaken(compilation, { packageName, folder: folderOf(packageName) }))
            taken.set(request, (taken.get(request) ?? new Set()).add(ids[0] ?? '*'))
        const modules = [...taken].sort(([a], [b]) => (a < b ? -1 : 1))
        const names = Object.fromEntries(modules.map(([request, own]) => [request, [...own].sort()]))
        compilation.emitAsset('names.json', new webpack.sources.RawSource(`${JSON.stringify(names)}\n`))
      })
    })
  }
}

/** Where a package lies; a part without the kit takes nothing from it. */
function folderOf(packageName: string): string {
  try {
    return path.dirname(require.resolve(`${packageName}/package.json`)) + path.sep
  } catch {
    return path.sep + packageName
  }
}
