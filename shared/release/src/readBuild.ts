import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { mapsFolder } from '@dmp/build/privateMaps'
import { BuildRecord } from '@dmp/contract/release'
import * as v from 'valibot'
import type { Build } from './addRelease.ts'
import { besideRelease } from './besideRelease.ts'
import { plainBuild, readPlainRecord } from './plainBuild.ts'
import { StoreError } from './store/ReleaseStore.ts'

/** Of these only the list of packages is stored, and no browser gets it; maps are sorted out by their names. */
const unpublishedFiles = new Set([
  'build.json',
  'inputs.txt',
  'remote.json',
  besideRelease.billOfMaterials,
  ...Object.values(plainBuild),
])

const isMap = (name: string): boolean => name.endsWith('.js.map')

/** A build with what is stored beside its files. */
export interface WholeBuild extends Build {
  /** The list of its packages, where the build made one. */
  readonly billOfMaterials: Buffer | undefined
  /** Maps of its scripts, by the script; also those that another bundler left beside them. */
  readonly maps: ReadonlyMap<string, Buffer>
}

/** A finished build as `@dmp/build`, or plain `@module-federation/enhanced`, left it in a folder. */
export async function readBuild(dist: string): Promise<WholeBuild> {
  const [record, all] = await Promise.all([readRecord(dist), readContents(dist)])
  const bill = path.join(dist, besideRelease.billOfMaterials)
  const files = [...all]
  const toScript = (name: string): string => name.replace(`${mapsFolder}/`, '').replace(/\.map$/, '')
  return {
    record,
    contents: new Map(files.filter(([name]) => !isMap(name))),
    billOfMaterials: existsSync(bill) ? await readFile(bill) : undefined,
    maps: new Map(files.filter(([name]) => isMap(name)).map(([name, content]) => [toScript(name), content])),
  }
}

async function readRecord(dist: string): Promise<BuildRecord> {
  const file = path.join(dist, 'build.json')
  const record: unknown = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : await readPlainRecord(dist)
  if (record === undefined)
    throw new StoreError(
      `${dist} contains no finished build: neither build.json nor ${plainBuild.manifest}. Build it first.`,
    )
  const result = v.safeParse(BuildRecord, record)
  if (result.success) return result.output
  const [issue] = result.issues
  throw new StoreError(
    `The build in ${dist} cannot be published: ${v.getDotPath(issue) ?? 'build.json'}: ${issue.message}`,
  )
}

async function readContents(dist: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(dist, { withFileTypes: true, recursive: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dist, path.join(entry.parentPath, entry.name)))
  const published = names
    .filter((name) => !unpublishedFiles.has(name))
    .map((name) => name.split(path.sep).join('/'))
    .sort()
  return new Map(
    await Promise.all(published.map(async (name) => [name, await readFile(path.join(dist, name))] as const)),
  )
}
