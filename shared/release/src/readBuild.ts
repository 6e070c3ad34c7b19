import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { BuildRecord } from '@dmp/contract/release'
import * as v from 'valibot'
import type { Build } from './addRelease.ts'
import { besideRelease } from './besideRelease.ts'
import { StoreError } from './store/ReleaseStore.ts'

/** Of these only the list of packages is stored, and no browser gets it. */
const unpublishedFiles = new Set(['build.json', 'inputs.txt', besideRelease.billOfMaterials])

/** A finished build as `@dmp/build` left it in a folder, with the list of its packages where it made one. */
export async function readBuild(dist: string): Promise<Build & { readonly billOfMaterials: Buffer | undefined }> {
  const [record, contents] = await Promise.all([readRecord(dist), readContents(dist)])
  const bill = path.join(dist, besideRelease.billOfMaterials)
  return { record, contents, billOfMaterials: existsSync(bill) ? await readFile(bill) : undefined }
}

async function readRecord(dist: string): Promise<BuildRecord> {
  const file = path.join(dist, 'build.json')
  if (!existsSync(file)) throw new StoreError(`${dist} contains no finished build (no build.json). Build it first.`)
  const result = v.safeParse(BuildRecord, JSON.parse(await readFile(file, 'utf8')))
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
