import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { forEachInLanes } from '../../core/semaphore.ts'
import type { Db } from '../../db/client.ts'
import { checkedKey } from '../../outside/localStaging.ts'
import { ObjectStoreError, type ObjectStore } from '../../outside/objectStore.ts'
import { writeWhole } from '../../modules/organization/export/exportFormat.ts'
import { listStoredRows, type StoredRow } from '../../modules/scan/check/storedBytes.ts'
import { listCommittedKeys } from '../../modules/scan/intake/objectKeys.ts'
import { keysFile, objectsFolder, type BackupSet } from './backupFolder.ts'

const atOnce = 4
const pageSize = 200

export interface Copied {
  /** That are there now. */
  objects: number
  bytes: number
  /** That were not there before. */
  added: number
  /** Keys of objects whose bytes are gone, or are not those that were uploaded. */
  readonly faults: string[]
}

interface Copying {
  readonly db: Db
  readonly store: ObjectStore
  readonly folder: string
  readonly signal: AbortSignal
  readonly onObject: (copied: Copied) => void
  /** Gets the key of each that is there now; `isNew` where it was not before. */
  readonly note: (key: string, isNew: boolean) => Promise<void>
}

/** Writes the bytes of each row that are not in the folder yet: keys are never written twice. */
export async function copyObjects({ db, store, folder, signal, onObject, note }: Copying): Promise<Copied> {
  const copied: Copied = { objects: 0, bytes: 0, added: 0, faults: [] }
  const copy = async (row: StoredRow): Promise<void> => {
    signal.throwIfAborted()
    const path = join(folder, objectsFolder, checkedKey(row.object_key))
    const isNew = !(await isThere(path, row))
    if (isNew) {
      if (!(await write(store, row, path, signal))) {
        // One that is gone by now was deleted meanwhile.
        if ((await listCommittedKeys(db, [row.object_key])).size > 0) copied.faults.push(row.object_key)
        return
      }
      copied.added += 1
    }
    copied.objects += 1
    copied.bytes += Number(row.byte_size)
    await note(row.object_key, isNew)
    onObject(copied)
  }
  const page: StoredRow[] = []
  for await (const row of listStoredRows(db)) {
    page.push(row)
    if (page.length === pageSize) await forEachInLanes(atOnce, page.splice(0), copy)
  }
  await forEachInLanes(atOnce, page, copy)
  return copied
}

/** It came there whole. */
async function isThere(path: string, { byte_size, key_id }: StoredRow): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() === true && (key_id !== null || found.size === Number(byte_size))
}

/** False where the store has no such bytes. What is encrypted can only be compared by who has the key. */
async function write(store: ObjectStore, row: StoredRow, path: string, signal: AbortSignal): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  try {
    const sha256 = await writeWhole(path, await store.read(row.object_key), signal)
    if (row.key_id !== null || sha256 === row.sha256) return true
    await rm(path)
    return false
  } catch (cause) {
    if (cause instanceof ObjectStoreError && (cause.fault === 'MISSING' || cause.fault === 'DAMAGED')) return false
    throw cause
  }
}

/** Removes the bytes that none of these sets names. Returns how many objects went. */
export async function removeUnnamed(folder: string, sets: readonly BackupSet[], signal: AbortSignal): Promise<number> {
  // On the disk: an archive of years has more names than memory.
  const named = new DatabaseSync('')
  try {
    named.exec('create table named (key text primary key) without rowid; begin')
    const add = named.prepare('insert or ignore into named values (?)')
    for (const { path } of sets)
      for await (const key of createInterface({ input: createReadStream(join(path, keysFile)) })) add.run(key)
    const find = named.prepare('select 1 from named where key = ?')
    return await removeBelow(join(folder, objectsFolder), '', (key) => find.get(key) !== undefined, signal)
  } finally {
    named.close()
  }
}

async function removeBelow(
  root: string,
  folder: string,
  isNamed: (key: string) => boolean,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    signal.throwIfAborted()
    const key = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) removed += await removeBelow(root, key, isNamed, signal)
    else if (!isNamed(key)) {
      await rm(join(root, key))
      removed += 1
    }
  }
  return removed
}
