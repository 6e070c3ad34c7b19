import { createHash, randomBytes, randomUUID } from 'node:crypto'
import {
  closeSync,
  createWriteStream,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { deidentifyFile, NotDeidentified } from '@dmp/server/deidentifyFile'
import type { Found } from './dicomFile.ts'
import type { Outcome } from './send.ts'
import { toReason } from './Session.ts'
import { ownCodes } from './ownCodes.ts'
import { Stop } from './stop.ts'

export const keyFileName = 'deidentification.key'
const keyBytes = 32
/** An upload that went on in the middle has forgotten its beginning by then. */
const keptMs = 7 * 24 * 3_600_000

/**
 * The de-identified copies that leave this machine in place of what lies on it. New UIDs and pseudonyms come from a key
 * that never leaves: the same file makes the same copy, so that series stay together and the server knows what it has.
 */
export class Copies {
  readonly #folder: string
  readonly #keyFile: string
  readonly #copied = new WeakSet<Found>()

  constructor(stateFolder: string) {
    this.#folder = path.join(stateFolder, 'deidentified')
    this.#keyFile = path.join(stateFolder, keyFileName)
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(this.#folder)) {
      const place = path.join(this.#folder, name)
      if (name.startsWith('.') || Date.now() - statSync(place).mtimeMs > keptMs) rmSync(place, { force: true })
    }
  }

  /** Whether what was sent last of this file was a copy. */
  isCopied(file: Found): boolean {
    return this.#copied.has(file)
  }

  /**
   * Sends the copies of the files by `send`, and returns the outcome of each, in their order: of what cannot be
   * de-identified nothing is sent. A copy that `isBegun` lies here until the next try goes on with it.
   */
  async send(
    files: readonly Found[],
    send: (copies: readonly Found[]) => Promise<readonly Outcome[]>,
    isBegun: (copy: Found) => boolean,
  ): Promise<Outcome[]> {
    const made: (Found | Outcome)[] = []
    // One after the other: each may take the memory of a large header.
    for (const file of files) {
      this.#copied.add(file)
      made.push(await this.#make(file))
    }
    const copies = made.filter((each): each is Found => 'path' in each)
    let sent: readonly Outcome[] = []
    try {
      if (copies.length > 0) sent = await send(copies)
    } finally {
      for (const [at, copy] of copies.entries())
        if ((sent[at]?.kind ?? 'later') !== 'later' || !isBegun(copy)) await rm(copy.path, { force: true })
    }
    let next = 0
    return made.map((each): Outcome => {
      if ('kind' in each) return each
      return sent[next++] ?? { kind: 'later', reason: 'Nothing was said of this file.' }
    })
  }

  async #make(file: Found): Promise<Found | Outcome> {
    const key = this.#readKey()
    const { path: from, size, modifiedMs } = file
    const name = createHash('sha256')
      .update(JSON.stringify([from, size, modifiedMs]))
      .digest('hex')
      .slice(0, 32)
    const place = path.join(this.#folder, `${name}.dcm`)
    const unfinished = path.join(this.#folder, `.${randomUUID()}`)
    try {
      const there = await stat(place).catch(() => undefined)
      if (there) return { path: place, size: there.size, modifiedMs: there.mtimeMs }
      const handle = await open(from, 'r')
      try {
        const copy = await deidentifyFile(handle, (await handle.stat()).size, key)
        await pipeline(copy, createWriteStream(unfinished, { flags: 'wx', mode: 0o600 }))
      } finally {
        await handle.close()
      }
      await rename(unfinished, place)
      const made = await stat(place)
      return { path: place, size: made.size, modifiedMs: made.mtimeMs }
    } catch (cause) {
      await rm(unfinished, { force: true })
      if (cause instanceof NotDeidentified)
        return {
          kind: 'refused',
          reason: `It cannot be de-identified, and was not sent: ${cause.message}`,
          code: ownCodes.named,
        }
      return { kind: 'later', reason: toReason(cause) }
    }
  }

  #readKey(): Buffer {
    try {
      const file = openSync(this.#keyFile, 'wx', 0o600)
      writeSync(file, `${randomBytes(keyBytes).toString('hex')}\n`)
      fsyncSync(file)
      closeSync(file)
    } catch (cause) {
      if ((cause as { code?: unknown }).code !== 'EEXIST')
        throw new Stop(`The key ${this.#keyFile} cannot be written, so nothing can be de-identified.`)
    }
    const key = Buffer.from(readFileSync(this.#keyFile, 'latin1').trim(), 'hex')
    if (key.length === keyBytes) return key
    throw new Stop(
      `The key ${this.#keyFile} is damaged: with another one, known patients would get new numbers. Put its copy back, or remove it to begin anew.`,
    )
  }
}
