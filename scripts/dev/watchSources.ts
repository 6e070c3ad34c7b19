import { readdirSync, watch, type FSWatcher } from 'node:fs'
import { join, relative, sep } from 'node:path'

/**
 * Tells of each file below a folder that was written, made, replaced or removed, by its path from there. Each folder
 * has a watcher of its own: with `recursive`, Node on Linux follows a file and not its name, so that it tells no more
 * of one that an editor or Git replaced.
 *
 * @returns what ends it
 */
export function watchSources(folder: string, tell: (file: string) => void): () => void {
  const watchers = new Map<string, FSWatcher>()
  const begin = (place: string): void => {
    if (watchers.has(place)) return
    let entries
    try {
      entries = readdirSync(place, { withFileTypes: true })
    } catch {
      // A file, or gone again.
      return
    }
    const watcher = watch(place, (event, name) => {
      if (name === null) return
      const path = join(place, name)
      // Of a folder that came or went; what was written into it before is told as well.
      if (event === 'rename') {
        for (const each of [...watchers.keys()].filter((known) => known === path || known.startsWith(path + sep)))
          end(each)
        begin(path)
      }
      tell(relative(folder, path))
    })
    watcher.on('error', () => end(place))
    watchers.set(place, watcher)
    for (const entry of entries) {
      if (entry.isDirectory()) begin(join(place, entry.name))
      else if (place !== folder && isBegun) tell(relative(folder, join(place, entry.name)))
    }
  }
  const end = (place: string): void => {
    watchers.get(place)?.close()
    watchers.delete(place)
  }
  let isBegun = false
  begin(folder)
  isBegun = true
  return () => [...watchers.keys()].forEach(end)
}
