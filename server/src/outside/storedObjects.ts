import { randomUUID } from 'node:crypto'
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { findTransferSyntax } from '@dmp/dicom/transferSyntaxes'
import { LRUCache } from 'lru-cache'
import { endlessDisk, type DiskSpace } from '../core/diskSpace.ts'
import type { Turn } from '../core/fairTurns.ts'
import { createFileSource } from '../dicom/byteSource.ts'
import type { FrameTable } from '../dicom/frames.ts'
import type { JsonDataset } from '../dicom/jsonModel.ts'
import { readingLimits } from '../dicom/limits.ts'
import type { ObjectReader } from '../dicom/objectReader.ts'
import { pictureTags } from '../dicom/pictureTags.ts'
import type { ObjectStore, OpenObject } from './objectStore.ts'

/** A stored object, as its row has it. */
export interface ObjectRow {
  readonly object_key: string
  readonly transfer_syntax_uid: string
}

export interface StoredFrames {
  readonly table: FrameTable
  /** Attributes that say how a frame is drawn. */
  readonly attributes: JsonDataset
}

/**
 * Stored objects for reading in parts. A deflated one is inflated once, into a file on this machine's disk that all of
 * its readers share; where the frames of an object lie is found once.
 */
export class StoredObjects {
  readonly #objects: ObjectStore
  readonly #reader: ObjectReader
  readonly #scratchFolder: string
  readonly #disk: DiskSpace
  readonly #making = new Map<string, Promise<InflatedCopy>>()
  readonly #copies = new LRUCache<string, InflatedCopy>({
    max: readingLimits.inflatedCopies,
    maxSize: readingLimits.inflatedCopiesBytes,
    sizeCalculation: ({ size }) => Math.max(1, size),
    dispose: (copy) => copy.drop(),
  })
  readonly #frames = new LRUCache<string, StoredFrames>({
    maxSize: readingLimits.frameTablesBytes,
    sizeCalculation: ({ table: { fragments }, attributes }) =>
      JSON.stringify(attributes).length +
      (fragments ? fragments.offsets.byteLength + fragments.lengths.byteLength + fragments.starts.byteLength : 1),
  })

  constructor(objects: ObjectStore, reader: ObjectReader, scratchFolder: string, disk: DiskSpace = endlessDisk) {
    this.#objects = objects
    this.#reader = reader
    this.#scratchFolder = scratchFolder
    this.#disk = disk
  }

  /** Random access, to the inflated form of a deflated object. */
  async open({ object_key, transfer_syntax_uid }: ObjectRow, turn: Turn): Promise<OpenObject> {
    if (!findTransferSyntax(transfer_syntax_uid)?.isDeflated) return this.#objects.open(object_key)
    for (;;) {
      const copy =
        this.#copies.get(object_key) ?? (await (this.#making.get(object_key) ?? this.#make(object_key, turn)))
      const opened = copy.open()
      // It may have had to make room for another one meanwhile.
      if (opened) return opened
    }
  }

  async frames(row: ObjectRow & { readonly header: Uint8Array }, turn: Turn): Promise<StoredFrames> {
    const known = this.#frames.get(row.object_key)
    if (known) return known
    const source = await this.open(row, turn)
    try {
      const frames = await this.#reader.runStored('frames', { header: row.header, tags: pictureTags }, { turn, source })
      this.#frames.set(row.object_key, frames)
      return frames
    } finally {
      await source.close()
    }
  }

  close(): void {
    this.#copies.clear()
  }

  #make(key: string, turn: Turn): Promise<InflatedCopy> {
    const making = this.#inflate(key, turn)
      .then((copy) => {
        this.#copies.set(key, copy)
        return copy
      })
      .finally(() => this.#making.delete(key))
    this.#making.set(key, making)
    return making
  }

  async #inflate(key: string, turn: Turn): Promise<InflatedCopy> {
    await this.#disk.assertRoom('objects')
    const source = await this.#objects.open(key)
    // Leftovers of a crash are swept with those of uploads.
    await mkdir(this.#scratchFolder, { recursive: true })
    const path = join(this.#scratchFolder, `${randomUUID()}.part`)
    try {
      await this.#reader.runStored('inflate', { path }, { turn, source })
      const handle = await open(path, 'r')
      return new InflatedCopy(handle, (await handle.stat()).size)
    } finally {
      // The open file stays readable, and is gone with its last reader.
      await rm(path, { force: true })
      await source.close()
    }
  }
}

/** An open file without a name, closed when it was dropped and its last reader has left. */
class InflatedCopy {
  readonly size: number
  readonly #handle: FileHandle
  #readers = 0
  #isDropped = false

  constructor(handle: FileHandle, size: number) {
    this.#handle = handle
    this.size = size
  }

  open(): OpenObject | undefined {
    if (this.#isDropped && this.#readers === 0) return undefined
    this.#readers += 1
    let isOpen = true
    return {
      ...createFileSource(this.#handle, this.size),
      close: async () => {
        if (!isOpen) return
        isOpen = false
        this.#readers -= 1
        if (this.#isDropped && this.#readers === 0) await this.#handle.close()
      },
    }
  }

  drop(): void {
    this.#isDropped = true
    if (this.#readers === 0) void this.#handle.close().catch(() => undefined)
  }
}
