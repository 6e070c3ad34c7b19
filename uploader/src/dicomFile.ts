import { open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'

export interface Found {
  readonly path: string
  readonly size: number
  readonly modifiedMs: number
}

const preambleBytes = 128

/**
 * Whether the file begins as DICOM files do (PS3.10): 128 free bytes, then DICM. A DICOMDIR lists files, it is none.
 */
export async function isDicom(file: string): Promise<boolean> {
  if (path.basename(file).toUpperCase() === 'DICOMDIR') return false
  const handle = await open(file, 'r')
  try {
    const head = Buffer.alloc(preambleBytes + 4)
    const { bytesRead } = await handle.read(head, 0, head.length, 0)
    return bytesRead === head.length && head.toString('latin1', preambleBytes) === 'DICM'
  } finally {
    await handle.close()
  }
}

/**
 * All files below the given places, in order of their names. Links are not followed, hidden files are left out; a
 * folder that may not be read, or a place that is gone, is told to `onUnreadable` and passed over.
 */
export async function* filesBelow(
  places: readonly string[],
  onUnreadable: (place: string, isGone: boolean) => void,
): AsyncGenerator<Found> {
  for (const place of places) {
    const kind = await stat(place).catch((cause: NodeJS.ErrnoException) => cause)
    if (kind instanceof Error) onUnreadable(place, kind.code !== 'EACCES' && kind.code !== 'EPERM')
    else if (kind.isDirectory()) yield* below(place, onUnreadable)
    else if (kind.isFile()) yield { path: place, size: kind.size, modifiedMs: kind.mtimeMs }
  }
}

async function* below(folder: string, onUnreadable: (place: string, isGone: boolean) => void): AsyncGenerator<Found> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined)
  if (entries === undefined) return onUnreadable(folder, false)
  for (const entry of entries.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }))) {
    if (entry.name.startsWith('.')) continue
    const whole = path.join(folder, entry.name)
    if (entry.isDirectory()) yield* below(whole, onUnreadable)
    else if (entry.isFile()) {
      const kind = await stat(whole).catch(() => undefined)
      if (kind === undefined) onUnreadable(whole, false)
      else yield { path: whole, size: kind.size, modifiedMs: kind.mtimeMs }
    }
  }
}
