import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

const most = 1000

export interface Folders {
  readonly at: string
  readonly above: string | undefined
  readonly names: readonly string[]
}

/** The folders in a folder of this machine, for whoever chooses one; without a place those of the person. */
export async function listFolders(place: string): Promise<Folders> {
  if (place === 'drives' && process.platform === 'win32') {
    const drives = Array.from({ length: 26 }, (_each, index) => `${String.fromCodePoint(65 + index)}:\\`)
    return { at: '', above: undefined, names: drives.filter((drive) => existsSync(drive)) }
  }
  const at = path.resolve(place || os.homedir())
  const entries = await readdir(at, { withFileTypes: true }).catch(() => {
    throw new Error(`${at} cannot be read.`)
  })
  const names = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort((a, b) => a.localeCompare(b, undefined, { numeric: true }))
  const above = path.dirname(at)
  const isTop = above === at
  return {
    at,
    above: isTop ? (process.platform === 'win32' ? 'drives' : undefined) : above,
    names: names.slice(0, most),
  }
}
