import path from 'node:path'
import type webpack from 'webpack'

const browser = path.join(import.meta.dirname, 'browser')

/** Modules of the federation runtime by their package and the end of their requests, and what stands for each. */
export const replaced = [
  { package: 'runtime-core', request: 'plugins/snapshot/SnapshotHandler.js', by: 'noSnapshots.js' },
  { package: 'runtime-core', request: 'utils/preload.js', by: 'noSnapshots.js' },
  { package: 'sdk', request: './logger.js', by: 'runtimeLogger.js' },
] as const

/**
 * Leaves out of the federation runtime what `disableSnapshot` switches off and keeps: manifests, and asking ahead by
 * them; and the stacks of its logger. Every page would carry them before anything is drawn.
 */
export class LeanRuntimePlugin {
  apply(compiler: webpack.Compiler): void {
    compiler.hooks.normalModuleFactory.tap('LeanRuntime', (factory) => {
      factory.hooks.beforeResolve.tap('LeanRuntime', (data) => {
        const [, from] = /[\\/]@module-federation[\\/]([\w-]+)[\\/]dist(?:[\\/]|$)/.exec(data.context) ?? []
        const found = replaced.find((one) => one.package === from && data.request.endsWith(one.request))
        if (found !== undefined) data.request = path.join(browser, found.by)
      })
    })
  }
}
