import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Configure } from '../../shared/build/src/configure.ts'
import type { Release } from '../../shared/contract/src/release.ts'
import {
  activate,
  compose,
  drawPages,
  openFolderStore,
  publish,
  type Composition,
  type FolderStore,
} from '../../shared/release/src/index.ts'
import { root } from '../workspace/files.ts'

/** The composed product or its static twin, published and ready to be served. */
export interface Variant {
  readonly name: 'federated' | 'static'
  readonly store: FolderStore
  readonly composition: Composition
}

type Configuration = ReturnType<Configure>

const folder = join(root, '.cache', 'bench')
const changed = join(root, 'remote-scan', 'src', 'App.tsx')
const commit = 'bench'

/** Builds both from the sources as they are, and both once more with one line of remote-scan changed. */
export async function makeVariants(): Promise<{ now: Variant[]; afterChange: Variant[] }> {
  rmSync(folder, { recursive: true, force: true })
  const { build, compile, loadConfiguration } = await import('../../shared/build/src/build.ts')
  const { staticConfig } = await import('../../shared/build/src/staticConfig.ts')
  const { listParts } = await import('../../shared/build/src/workspace.ts')
  await build({ log: console.log })

  const all = listParts().filter(({ kind }) => kind !== 'viewer')
  const scan = all.find(({ name }) => name === 'remote-scan')
  if (scan === undefined) throw new Error('remote-scan is not there. The bench changes a line of it.')
  const federated = openFolderStore(join(folder, 'federated'))
  const releases = await Promise.all(all.map((part) => publish(federated, join(part.folder, 'dist'), { commit })))
  await drawPages(federated, releases, { log: console.warn })
  const now = await live('federated', federated, releases)

  await compile(withChange(await loadConfiguration(scan, 'production'), join(folder, 'scan-changed')))
  const after = await live('federated', federated, [await publish(federated, join(folder, 'scan-changed'), { commit })])

  const configure = staticConfig(join(folder, 'static-now'))
  await compile(configure('production'))
  await compile(withChange(configure('production'), join(folder, 'static-changed')))
  return { now: [now, await staticVariant('static-now')], afterChange: [after, await staticVariant('static-changed')] }
}

async function staticVariant(dist: string): Promise<Variant> {
  const store = openFolderStore(join(folder, `${dist}-store`))
  return live('static', store, [await publish(store, join(folder, dist), { commit })])
}

async function live(name: Variant['name'], store: FolderStore, releases: readonly Release[]): Promise<Variant> {
  const registry = await activate(
    store,
    { parts: releases.map((release) => ({ name: release.name, releaseId: release.releaseId })) },
    { by: 'bench' },
  )
  return { name, store, composition: await compose(store, registry.live) }
}

function withChange(configuration: Configuration, output: string): Configuration {
  const rule = {
    test: (file: string) => file === changed,
    enforce: 'pre' as const,
    loader: join(import.meta.dirname, 'changeLine.cjs'),
  }
  return {
    ...configuration,
    name: `${configuration.name} with a changed line`,
    cache: false,
    output: { ...configuration.output, path: output },
    module: { rules: [...(configuration.module?.rules ?? []), rule] },
  }
}
