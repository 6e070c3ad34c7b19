import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Configuration, Stats } from 'webpack'
import type { Mode } from './toolchain.ts'
import type { Configure } from './configure.ts'
import { hashInputs, listStaleParts, markBuilt } from './buildCache.ts'
import { findConfiguration, listParts, type Part } from './workspace.ts'

export interface BuildResult {
  /** Names of the parts that were built; the others were up to date. */
  readonly built: readonly string[]
  readonly milliseconds: number
}

/** The sources of a part do not compile; the message names the part, the file and the line. */
export class BuildError extends Error {
  override readonly name = 'BuildError'
}

/**
 * Builds every part whose `dist/` was not made from the current sources, in this process. Webpack is loaded only if
 * there is something to build, so a call without changes takes some tens of milliseconds.
 *
 * @param options.only names of parts; all when absent
 * @param options.log called with one line per built part
 */
export async function build(
  options: { mode?: Mode; only?: readonly string[]; log?: (line: string) => void } = {},
): Promise<BuildResult> {
  const buildStartedAt = performance.now()
  const mode = options.mode ?? 'production'
  const parts = listParts().filter((part) => options.only === undefined || options.only.includes(part.name))
  const staleParts = listStaleParts(parts, mode)
  const failures: string[] = []
  for (const part of staleParts) {
    const startedAt = performance.now()
    const inputs = hashInputs(part, mode)
    try {
      await compile(await loadConfiguration(part, mode))
      markBuilt(part, inputs)
      options.log?.(`built ${part.name} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
    } catch (error) {
      // The other parts are still built, so that one run reports every error.
      failures.push(error instanceof Error ? error.message : String(error))
    }
  }
  if (failures.length > 0) throw new BuildError(failures.join('\n\n'))
  return { built: staleParts.map((part) => part.name), milliseconds: performance.now() - buildStartedAt }
}

/** Loads a part's `webpack.config.ts`. A configuration that does not load is told with the part's name. */
export async function loadConfiguration(part: Part, mode: Mode): Promise<Configuration> {
  const file = findConfiguration(part.folder) ?? path.join(part.folder, 'webpack.config.ts')
  const module = (await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new BuildError(
      `${part.name} was not built: ${path.basename(file)} does not load. ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    )
  })) as { default?: unknown }
  if (typeof module.default !== 'function')
    throw new BuildError(
      `${part.name} was not built: ${path.basename(file)} must export a configuration: export default remoteConfig(import.meta.dirname)`,
    )
  return (module.default as Configure)(mode)
}

/** Runs one build; its cache is written when it returns. */
export async function compile(configuration: Configuration): Promise<void> {
  const { default: webpack } = await import('webpack')
  const compiler = webpack(configuration)
  const stats = await new Promise<Stats>((resolve, reject) => {
    compiler.run((error, result) =>
      result
        ? resolve(result)
        : reject(
            error ??
              new BuildError(`${configuration.name} was not built, and webpack gave no reason. Run the build again.`),
          ),
    )
  })
  await new Promise<void>((resolve, reject) => compiler.close((error) => (error ? reject(error) : resolve())))
  if (stats.hasErrors())
    throw new BuildError(
      `${configuration.name} does not compile.\n${stats.toString({ preset: 'errors-only', colors: false })}`,
    )
}
