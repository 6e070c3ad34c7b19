import { lstat, opendir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartFailure } from '../core/StartFailure.ts'

/**
 * Refuses a folder in which somebody else can put links, or has put one: what is written there would land in, and what
 * is cleared up would be gone from, wherever they lead, in the name of the server.
 */
export async function assertOwnFolder(folder: string): Promise<void> {
  const { uid, mode } = await stat(folder)
  const own = process.getuid?.()
  const isOfOthers = own !== undefined && ((uid !== own && uid !== 0) || (mode & 0o002) !== 0)
  if (isOfOthers)
    throw new StartFailure(
      `Other accounts of this machine can change the folder ${folder}. Name one that does not exist yet, or give it to the server alone.`,
    )
  for await (const entry of await opendir(folder, { recursive: true }))
    if (!entry.isFile() && !entry.isDirectory())
      throw new StartFailure(
        `In the folder ${folder} is a link: ${join(entry.parentPath, entry.name)}. Nothing was written. Name a folder that does not exist yet.`,
      )
}

/** A text file of a folder that anybody may have made; undefined for what is none, or longer. */
export async function readShortFile(path: string, mostBytes: number): Promise<string | undefined> {
  return (await isPlainFile(path, mostBytes)) ? readFile(path, 'utf8').catch(() => undefined) : undefined
}

/** Neither a link, nor a pipe that never ends or never opens. */
export async function isPlainFile(path: string, mostBytes = Infinity): Promise<boolean> {
  const entry = await lstat(path).catch(() => undefined)
  return entry?.isFile() === true && entry.size <= mostBytes
}

/** Whether files lie where their names say, and not where a link among their folders leads. */
export async function createPlaceCheck(folder: string): Promise<(path: string) => Promise<boolean>> {
  const root = await realpath(folder)
  const places = new Map<string, Promise<boolean>>()
  return (path) => {
    const place = dirname(path)
    const known = places.get(place)
    if (known) return known
    const looked = realpath(place).then(
      (real) => real === join(root, place.slice(folder.length)),
      () => false,
    )
    places.set(place, looked)
    return looked
  }
}
