import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, statfs } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { randomUUID } from 'node:crypto'
import type { Why } from '../answer.ts'
import { ownCodes } from '../ownCodes.ts'
import { reasons } from './reasons.ts'

const leftFreeBytes = 2 ** 30

const [noName, noRoom, brokenCopy] = [ownCodes.noName, ownCodes.noRoom, ownCodes.brokenCopy].map((code): Why => ({
  reason: reasons[code] ?? '',
  code,
})) as [Why, Why, Why]

/**
 * Keeps a copy of what a person dropped into the page, which knows no paths, until it is sent. Returns what
 * went wrong. `onWhole` hears of it before any look can find it.
 */
export async function receive(
  request: IncomingMessage,
  name: string,
  folder: string,
  onWhole: (place: string, bytes: number) => void,
): Promise<Why | undefined> {
  const parts = name.split(/[\\/]/).filter((part) => part !== '' && part !== '.' && part !== '..')
  const last = parts.pop()
  if (last === undefined || name.length > 1000 || /\p{Cc}/u.test(name)) return noName
  const size = Number(request.headers['content-length'] ?? Number.NaN)
  const { bavail, bsize } = await statfs(folder)
  // Whatever has no size is no file that a page sends.
  if (!Number.isSafeInteger(size)) return brokenCopy
  if (size > bavail * bsize - leftFreeBytes) return noRoom
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
  } catch (cause) {
    await rm(unfinished, { force: true })
    return (cause as { code?: unknown }).code === 'ENOSPC' ? noRoom : brokenCopy
  }
}

const toVisible = (name: string): string => name.replace(/^\.+/, '').replaceAll(/[<>:"|?*]/g, '_') || '_'
