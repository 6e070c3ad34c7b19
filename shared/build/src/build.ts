import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Configuration, Stats } from 'webpack'
import type { Mode } from './toolchain.ts'
import type { Configure } from './configure.ts'
import { hashInputs, listStaleParts, markBuilt } from './buildCache.ts'
import { listParts, type Part } from './workspace.ts'

export interface BuildResult {
  /** Names of the parts that were built; the others were up to date. */
  readonly built: readonly string[]
  readonly milliseconds: number
}

/** A part whose sources do not compile; the message names the part, the file and the place. */
export class BuildError extends Error {
  override readonly name = 'BuildError'
}

/**
 * Builds every part whose `dist/` is not made from the sources as they are, in this process. Asking costs some tens of
 * milliseconds when nothing changed: webpack is loaded only when there is something to build.
 *
 * @param options.only names of parts; all when absent
 * @param options.log called with one line per built part
 */
export async function build(
  options: { mode?: Mode; only?: readonly string[]; log?: (line: string) => void } = {},
): Promise<BuildResult> {
  const started = performance.now()
  const mode = options.mode ?? 'production'
  const wanted = listParts().filter((part) => options.only === undefined || options.only.includes(part.name))
  const behind = listStaleParts(wanted, mode)
  const failures: string[] = []
  for (const part of behind) {
    const began = performance.now()
    const inputs = hashInputs(part, mode)
    try {
      await compile(await loadConfiguration(part, mode))
      markBuilt(part, inputs)
      options.log?.(`built ${part.name} in ${((performance.now() - began) / 1000).toFixed(1)} s`)
    } catch (error) {
      // The others are built all the same: whoever reads this wants to know all that is wrong.
      failures.push(error instanceof Error ? error.message : String(error))
    }
  }
  if (failures.length > 0) throw new BuildError(failures.join('\n\n'))
  return { built: behind.map((part) => part.name), milliseconds: performance.now() - started }
}

/** The webpack configuration of a part, from its `webpack.config.ts`. */
export async function loadConfiguration(part: Part, mode: Mode): Promise<Configuration> {
  const module = (await import(pathToFileURL(path.join(part.folder, 'webpack.config.ts')).href)) as {
    default: Configure
  }
  return module.default(mode)
}

/** Runs one build to its end; the cache is written before it returns. */
export async function compile(configuration: Configuration): Promise<void> {
  const { default: webpack } = await import('webpack')
  const compiler = webpack(configuration)
  const stats = await new Promise<Stats>((resolve, reject) => {
    compiler.run((error, result) =>
      result ? resolve(result) : reject(error ?? new BuildError(`${configuration.name} was not built.`)),
    )
  })
  await new Promise<void>((resolve, reject) => compiler.close((error) => (error ? reject(error) : resolve())))
  if (stats.hasErrors())
    throw new BuildError(
      `${configuration.name} does not build.\n${stats.toString({ preset: 'errors-only', colors: false })}`,
    )
}
