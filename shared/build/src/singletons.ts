import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** How the host loads a shared module: in its first script, or in a separate script when it is needed. */
export type Loading = 'first' | 'lazy'

/**
 * The only list of modules that exist once per page. The host provides them and remotes take them (`import: false`), so
 * a second copy cannot even be built. Libraries such as antd or the router are not listed: remotes reach them through
 * the facades of `@dmp/kit`, which keeps tree-shaking and hides their versions.
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

/**
 * What a part takes from the page if its React is its own: of the kit what asks, and what draws nothing. It goes with
 * whichever React the page has.
 */
const ofAnyReact: readonly string[] = ['@dmp/kit', '@dmp/kit/router']

/** Whose React draws a part's screens: that of the page, with the kit's screens, or one that the part brings. */
export type DrawnBy = 'page' | 'own'

/** The shared modules that a part takes from the page. */
export const takenModules = (react: DrawnBy): string[] =>
  Object.keys(singletons).filter((module) => react === 'page' || ofAnyReact.includes(module))

/** The installed version of a shared module's package, resolved as the kit resolves it, or as another module does. */
export function installedVersion(module: string, from = kit): string {
  const parts = module.split('/')
  const name = module.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? module)
  return readVersion(name === '@dmp/kit' ? kit : findManifest(name, from))
}

/** Of a part that installs none itself, that of the kit: the build takes the types and the page the code from there. */
function findManifest(name: string, from: string): string {
  try {
    return createRequire(from).resolve(`${name}/package.json`)
  } catch (cause) {
    if (from === kit) throw cause
    return findManifest(name, kit)
  }
}

const require = createRequire(import.meta.url)
const kit = require.resolve('@dmp/kit/package.json')
const readVersion = (manifest: string): string =>
  (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version

/** The version of the contract, which the host states beside those of the shared modules. */
export const contractVersion = (): string => readVersion(require.resolve('@dmp/contract/package.json'))

/** Exact version of each shared module that the host provides. */
export const providedVersions = (): Record<string, string> =>
  Object.fromEntries(Object.keys(singletons).map((module) => [module, installedVersion(module)]))

/**
 * Range of each shared module that a remote accepts: the same major version, at least as new as the one that it is
 * built with. For the kit it is the range in the remote's `remote.json`, so that the remote also runs in hosts that are
 * older than this checkout.
 */
export const acceptedRanges = (folder: string, kit: string, react: DrawnBy = 'page'): Record<string, string> =>
  Object.fromEntries(
    takenModules(react).map((module) => [
      module,
      module.startsWith('@dmp/kit') ? kit : `^${installedVersion(module, path.join(folder, 'package.json'))}`,
    ]),
  )
