import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { workspace } from './workspace.ts'

/** How the host holds a shared module: in its first script, or in a script of its own that comes when it is needed. */
export type Loading = 'first' | 'lazy'

/**
 * The one list of modules of which a page has exactly one copy. The host provides them, remotes only take them
 * (`import: false`), so that a second copy cannot even be built. Libraries such as antd or the router are not here: they are
 * reached through the facades of `@dmp/kit` only, which keeps tree-shaking and hides their versions from the remotes.
 */
export const singletons: Readonly<Record<string, Loading>> = {
  react: 'first',
  'react/jsx-runtime': 'first',
  '@dmp/kit': 'first',
  '@dmp/kit/router': 'first',
  '@dmp/kit/ui': 'first',
  '@dmp/kit/screen': 'first',
  '@dmp/kit/form': 'lazy',
  '@dmp/kit/table': 'lazy',
}

/** The installed version of the package that a shared module belongs to, read where the kit reads it. */
export function installedVersion(module: string): string {
  const parts = module.split('/')
  const name = module.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? module)
  const manifest =
    name === '@dmp/kit'
      ? path.join(workspace, 'shared/kit/package.json')
      : createRequire(path.join(workspace, 'shared/kit/package.json')).resolve(`${name}/package.json`)
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

/** Version of the contract that a part is built with; the host states it beside the shared modules. */
export const contractVersion = (): string =>
  (JSON.parse(readFileSync(path.join(workspace, 'shared/contract/package.json'), 'utf8')) as { version: string })
    .version

/** What the host provides: shared module → exact version. */
export const providedVersions = (): Record<string, string> =>
  Object.fromEntries(Object.keys(singletons).map((module) => [module, installedVersion(module)]))

/**
 * What a remote built now accepts: shared module → range. A newer minor of the same major keeps working; of the kit, the one
 * that the remote itself says it needs (`remote.json`), so that it also runs in hosts that are older than this checkout.
 */
export const acceptedRanges = (kit: string): Record<string, string> =>
  Object.fromEntries(
    Object.keys(singletons).map((module) => [
      module,
      module.startsWith('@dmp/kit') ? kit : `^${installedVersion(module)}`,
    ]),
  )
