import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { stale } from '../shared/build/src/stale.ts'
import { parts } from '../shared/build/src/workspace.ts'
import { node, run } from './stage.ts'
import { root } from './tree.ts'

/** Everything that the product writes lives under this folder. */
export const dataFolder = (): string => resolve(root, process.env.DMP_DATA_DIR?.trim() || '.data')

/** Releases of this checkout, compressed once, whatever data folder they are then published to. */
export const workshop = join(root, '.cache', 'releases')

/** Builds what is stale; nothing is loaded where nothing is. */
export async function buildStale(options: string[] = []): Promise<void> {
  if (options.length === 0 && stale(parts(), 'production').length === 0) return
  console.log('Building what changed …')
  const { code, seconds } = await run(node, ['--disable-warning=ExperimentalWarning', join(root, 'shared/build/src/cli.ts'), ...options])
  if (code !== 0) throw new Error('The build failed; what is above says where. Nothing was published.')
  console.log(`Built in ${seconds.toFixed(1)} s.`)
}

/** Makes the builds of this checkout live in the release registry of the data folder. */
export async function publishBuilt(): Promise<void> {
  const { openStore, partsOf, publishAll, readSnapshot } = await import('../shared/release/src/index.ts')
  const { live } = await publishAll(workshop)
  const store = join(dataFolder(), 'releases')
  for (const { name, releaseId } of partsOf(await readSnapshot(openStore(workshop), live))) {
    const to = join(store, name, releaseId)
    if (!existsSync(to)) copyWhole(join(workshop, name, releaseId), to)
  }
  await publishAll(store)
}

/** A release is there as a whole or not at all, whenever this process is ended. */
function copyWhole(from: string, to: string): void {
  const unfinished = join(dirname(to), `.${process.pid}`)
  mkdirSync(dirname(to), { recursive: true })
  rmSync(unfinished, { recursive: true, force: true })
  cpSync(from, unfinished, { recursive: true })
  renameSync(unfinished, to)
}

/** Nothing was ever made live in the data folder. */
export function isRegistryEmpty(): boolean {
  const registry = join(dataFolder(), 'releases', 'registry')
  return !existsSync(registry) || readdirSync(registry).length === 0
}
