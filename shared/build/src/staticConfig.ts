import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import webpack from 'webpack'
import { baseConfig } from './baseConfig.ts'
import { BuildRecordPlugin } from './BuildRecordPlugin.ts'
import { createConfigure, type Configure } from './configure.ts'
import { compiledWhileItComes } from './hostConfig.ts'
import { PrivateMapsPlugin } from './PrivateMapsPlugin.ts'
import { exposedModules } from './remoteConfig.ts'
import { listParts, workspace } from './workspace.ts'

/**
 * Builds the same sources as one application without remotes, which the composed product is measured against. Loader,
 * minifier and targets are the same; each area is a lazy chunk, and libraries are split by webpack's defaults. Only the
 * two files that know where remotes come from are replaced.
 *
 * @param output folder for the files
 */
export function staticConfig(output: string): Configure {
  const host = path.join(workspace, 'host')
  const folder = path.join(workspace, '.cache/static')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'loadRemote.ts'), loadRemoteSource())
  writeFileSync(path.join(folder, 'snapshot.ts'), snapshotSource())
  return createConfigure((mode) => {
    const base = baseConfig(host, mode)
    return {
      ...base,
      name: 'static',
      entry: { main: './src/index.ts' },
      output: { ...base.output, path: output, uniqueName: 'static' },
      cache: { ...(base.cache as webpack.FileCacheOptions), name: `static-${mode}` },
      plugins: [
        ...(base.plugins ?? []),
        new webpack.NormalModuleReplacementPlugin(/\/(?:loadRemote|snapshot)\.ts$/, (request: { request: string }) => {
          request.request = path.join(folder, path.basename(request.request))
        }),
        compiledWhileItComes(),
        new PrivateMapsPlugin(),
        new BuildRecordPlugin('host', undefined, { provides: {}, consumes: {} }),
      ],
    }
  })
}

const remotes = () => listParts().filter(({ kind }) => kind === 'remote')
const text = (value: string): string => JSON.stringify(value.split(path.sep).join('/'))

function loadRemoteSource(): string {
  const modules = remotes().map(({ name, folder }) => {
    const lines = Object.entries(exposedModules(folder)).map(
      ([key, file]) =>
        `    ${text(key)}: () => import(/* webpackChunkName: ${text(key === './App' ? name : `${name}-${key.slice(2)}`)} */ ${text(path.join(folder, file))}),`,
    )
    return `  ${text(name)}: {\n${lines.join('\n')}\n  },`
  })
  return `import { trackPromise } from ${text(path.join(workspace, 'host/src/remotes/readPromise.ts'))}

const modules = {
${modules.join('\n')}
}
const loaded = new Map()

export function loadRemote(remote, module) {
  const key = remote.declaration.name + module
  if (!loaded.has(key)) {
    const loading = modules[remote.declaration.name][module]()
    loaded.set(key, loading)
    void trackPromise(loading)
  }
  return loaded.get(key)
}
export const prefetchModule = (remote, module) => modules[remote.declaration.name][module]().catch(() => undefined)
export const forgetRemote = ({ declaration }) =>
  ['./App', './cards', './search'].forEach((module) => loaded.delete(declaration.name + module))
`
}

function snapshotSource(): string {
  const declaredRemotes = remotes().filter(({ folder }) => existsSync(path.join(folder, 'remote.json')))
  return `import declared from ${text(path.join(workspace, 'host/remote.json'))}
${declaredRemotes.map(({ folder }, index) => `import d${index} from ${text(path.join(folder, 'remote.json'))}`).join('\n')}

export const hostDeclaration = declared
const all = [${declaredRemotes.map((_remote, index) => `d${index}`).join(', ')}].map(
  (declaration) => ({ releaseId: '', entry: '', integrity: '', declaration }),
)
export const remotes = () => all
export const snapshot = () => ({ id: '', host: '', remotes: all })
export const declarations = () => [hostDeclaration, ...all.map(({ declaration }) => declaration)]
export const forgetSnapshot = () => undefined
`
}
