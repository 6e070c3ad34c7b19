import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Declaration } from '@dmp/contract/remote'
import type { BuildRecord } from '@dmp/contract/release'
import * as v from 'valibot'
import { StoreError } from './store/ReleaseStore.ts'

/** Written by `@module-federation/enhanced` beside what it builds; the second is about the machine that built it. */
export const plainBuild = { manifest: 'mf-manifest.json', statistics: 'mf-stats.json' } as const

const Files = v.object({ sync: v.array(v.string()) })
const Assets = v.object({ js: Files, css: Files })
const Manifest = v.object({
  metaData: v.object({
    globalName: v.string(),
    publicPath: v.optional(v.string()),
    remoteEntry: v.object({ name: v.string(), path: v.string() }),
  }),
  shared: v.array(
    v.object({
      name: v.string(),
      singleton: v.optional(v.boolean()),
      requiredVersion: v.optional(v.unknown()),
      assets: Assets,
    }),
  ),
  exposes: v.array(v.object({ path: v.string(), assets: Assets })),
})

/**
 * What a build of plain `@module-federation/enhanced` says of itself: by its manifest, and by the `remote.json` in its
 * folder or in the one above. Undefined where there is no manifest.
 */
export async function readPlainRecord(folder: string): Promise<BuildRecord | undefined> {
  const file = path.join(folder, plainBuild.manifest)
  if (!existsSync(file)) return undefined
  const { success, output } = v.safeParse(Manifest, JSON.parse(await readFile(file, 'utf8')))
  if (!success) throw new StoreError(`${file} is not a manifest of @module-federation/enhanced 2.`)
  const declaration = await readDeclaration(folder)
  const { metaData, shared, exposes } = output
  const { name } = declaration
  const globalName = name.replaceAll('-', '_')
  if (metaData.globalName !== globalName)
    throw new StoreError(
      `${file} names the container ${metaData.globalName}, and pages look for ${globalName}. Write name: '${globalName}' into the options of ModuleFederationPlugin.`,
    )
  if (metaData.publicPath !== 'auto')
    throw new StoreError(
      `The build loads its files from ${metaData.publicPath ?? 'an address that it does not say'}, and a release has an address of its own. Write publicPath: 'auto' into the output of the bundler.`,
    )
  return {
    name,
    declaration,
    entry: path.posix.join(metaData.remoteEntry.path, metaData.remoteEntry.name),
    initial: [],
    chunks: Object.fromEntries(exposes.map(({ path: module, assets }) => [module, listFirst(assets)])),
    uses: {},
    provides: {},
    // What it brings itself, and not only once per page, it can do without.
    consumes: Object.fromEntries(
      shared
        .filter(({ singleton, assets }) => singleton === true || listFirst(assets).length === 0)
        .flatMap(({ name: module, requiredVersion: range }) => (typeof range === 'string' ? [[module, range]] : [])),
    ),
  }
}

const listFirst = ({ js, css }: v.InferOutput<typeof Assets>): string[] => [...js.sync, ...css.sync]

async function readDeclaration(folder: string): Promise<Declaration> {
  const file = [folder, path.dirname(path.resolve(folder))]
    .map((place) => path.join(place, 'remote.json'))
    .find((candidate) => existsSync(candidate))
  if (file === undefined)
    throw new StoreError(`There is no remote.json in ${folder} nor above it: it says which addresses the part has.`)
  const result = v.safeParse(Declaration, JSON.parse(await readFile(file, 'utf8')))
  if (result.success) return result.output
  const [issue] = result.issues
  throw new StoreError(`${file} is not understood: ${v.getDotPath(issue) ?? 'remote.json'}: ${issue.message}`)
}
