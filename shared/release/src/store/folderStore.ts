import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { link, mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { ReleaseStore } from './ReleaseStore.ts'

/** A store in a folder. */
export interface FolderStore extends ReleaseStore {
  readonly folder: string
}

/** Opens the store in a folder, and creates it if necessary. */
export function openFolderStore(folder: string): FolderStore {
  for (const subfolder of ['snapshots', 'registry']) mkdirSync(path.join(folder, subfolder), { recursive: true })
  const toFile = (key: string): string => path.join(folder, key)
  return {
    folder,
    location: folder,
    read: (key) => readFile(toFile(key)).catch(unlessMissing),
    stream: async (key): Promise<Readable | undefined> =>
      (await open(toFile(key)).catch(unlessMissing))?.createReadStream(),
    add: (key, content) => addWhole(toFile(key), content),
    list: async (key) => (await readdir(toFile(key)).catch(unlessMissing)) ?? [],
    remove: (key) => rm(toFile(key), { force: true }),
  }
}

function unlessMissing(error: unknown): undefined {
  if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
  throw error
}

const hasCode = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException).code ?? '')

/** Writes the file completely before a hard link gives it its name; the link fails if the name is taken. */
async function addWhole(file: string, content: Uint8Array): Promise<boolean> {
  await mkdir(path.dirname(file), { recursive: true })
  const unfinished = `${file}.${randomUUID()}.unfinished`
  try {
    const handle = await open(unfinished, 'wx')
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await link(unfinished, file)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  } finally {
    await rm(unfinished, { force: true })
  }
}
