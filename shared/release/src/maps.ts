import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { longestMap } from '@dmp/build/privateMaps'
import type { Release, ReleaseRef } from '@dmp/contract/release'
import * as v from 'valibot'
import { StoreError, type ReleaseStore } from './store/ReleaseStore.ts'

export { longestMap }

const [zip, unzip] = [promisify(gzip), promisify(gunzip)]

type Ref = Pick<ReleaseRef, 'name' | 'releaseId'>

/** Folder of a release's maps: apart from its files, which web servers in front of a store may serve as they lie. */
export const mapsLocation = ({ name, releaseId }: Ref): string => `maps/${name}/${releaseId}`
/** One level: a store lists only what is directly below a key. */
const mapKey = (ref: Ref, script: string): string => `${mapsLocation(ref)}/${encodeURIComponent(script)}.map.gz`

const At = v.number('A place is a number.')
const NamedFunction = v.tuple([At, At, At, At, v.string('A function is named by text.')])

/** What is kept of a map: where each position of a script comes from, without the sources themselves. */
const PrivateMap = v.object({
  version: v.literal(3, 'It has another version than 3.'),
  sources: v.array(v.nullable(v.string('A source is named by text.')), 'sources is a list.'),
  names: v.array(v.string('A name is text.'), 'names is a list.'),
  mappings: v.string('mappings is text.'),
  /**
   * By source, the functions in it: first line (from 1) and column (from 0), last ones, name. Maps of other builds have
   * none.
   */
  functions: v.optional(v.array(v.array(NamedFunction), 'functions is a list.')),
})
export type PrivateMap = v.InferOutput<typeof PrivateMap>

/**
 * Stores the maps of a release's scripts, by which servers name sources in the stacks of errors. No release names them,
 * so that no address gives them. One that is there stays.
 *
 * @throws StoreError for one that is no map, is too long, or is of no script of the release
 */
export async function storeMaps(
  store: ReleaseStore,
  release: Pick<Release, 'name' | 'releaseId' | 'files'>,
  maps: ReadonlyMap<string, Buffer>,
): Promise<void> {
  for (const [script, content] of maps) {
    if (!script.endsWith('.js') || !release.files.some(({ path }) => path === script))
      throw new StoreError(`${script}.map is the map of no script of release ${release.releaseId} of ${release.name}.`)
    await store.add(mapKey(release, script), await zip(JSON.stringify(parseMap(script, content))))
  }
}

/** The map of one script of a release; undefined where there is none. */
export async function readMap(store: ReleaseStore, ref: Ref, script: string): Promise<PrivateMap | undefined> {
  const content = await store.read(mapKey(ref, script))
  if (content === undefined) return undefined
  return parseMap(script, await unzip(content, { maxOutputLength: longestMap }))
}

export async function removeMaps(store: ReleaseStore, ref: Ref): Promise<void> {
  for (const file of await store.list(mapsLocation(ref))) await store.remove(`${mapsLocation(ref)}/${file}`)
}

function parseMap(script: string, content: Buffer): PrivateMap {
  const parsed = content.length > longestMap ? undefined : v.safeParse(PrivateMap, toValue(content))
  if (parsed?.success) return parsed.output
  const why = parsed === undefined ? `It has more than ${longestMap} bytes.` : parsed.issues[0].message
  throw new StoreError(`${script}.map is not a source map. ${why}`)
}

function toValue(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
