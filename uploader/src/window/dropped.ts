import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, statfs } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { randomUUID } from 'node:crypto'

const leftFreeBytes = 2 ** 30

/**
 * Keeps a copy of what a person dropped into the page, which knows no paths, until it is sent. Returns the sentence of
 * what went wrong. `onWhole` hears of it before any look can find it.
 */
export async function receive(
  request: IncomingMessage,
  name: string,
  folder: string,
  onWhole: (place: string, bytes: number) => void,
): Promise<string | undefined> {
  const parts = name.split(/[\\/]/).filter((part) => part !== '' && part !== '.' && part !== '..')
  const last = parts.pop()
  if (last === undefined || name.length > 1000 || /\p{Cc}/u.test(name)) return 'This file has no name that can be kept.'
  const size = Number(request.headers['content-length'] ?? Number.NaN)
  const { bavail, bsize } = await statfs(folder)
  if (!Number.isSafeInteger(size)) return 'The size of this file is not known.'
  if (size > bavail * bsize - leftFreeBytes)
    return 'There is too little room on this machine for the copy. Watch its folder instead.'
  // Links and hidden files are passed over by the look: half of a file is hidden.
  const place = path.join(folder, ...parts.map(toVisible))
  await mkdir(place, { recursive: true, mode: 0o700 })
  const unfinished = path.join(place, `.${randomUUID()}`)
  try {
    await pipeline(request, createWriteStream(unfinished, { mode: 0o600 }))
    const whole = path.join(place, toVisible(last))
    onWhole(whole, size)
    await rename(unfinished, whole)
    return undefined
  } catch {
    await rm(unfinished, { force: true })
    return 'The copy broke off. Drop it again.'
  }
}

const toVisible = (name: string): string => name.replace(/^\.+/, '').replaceAll(/[<>:"|?*]/g, '_') || '_'
