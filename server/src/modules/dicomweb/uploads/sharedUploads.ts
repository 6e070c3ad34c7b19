import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { DataStore, ERRORS, Upload } from '@tus/server'
import type { StoredOutcome } from '@dmp/dicom'
import { findCurrentTurn } from '../../../core/asker.ts'
import { leaving } from '../../../http/leaving.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { ObjectStoreError } from '../../../outside/objectStore.ts'
import { uploadsFolder } from '../../scan/intake/objectKeys.ts'
import { uploadGone } from '../tusRequests.ts'
import { uploadExpiryHours } from '../tusServices.ts'
import type { UploadOwner } from '../unfinishedUploads.ts'
import type { UploadFiles } from '../uploadFiles.ts'
import { Pieces } from './pieces.ts'
import {
  addPiece,
  findUpload,
  finishUpload,
  listExpired,
  listFinished,
  listPieces,
  removeUpload,
  type UploadPiece,
  type UploadRow,
} from './upload.repository.ts'
import type { UploadLeases } from './uploadLeases.ts'
import type { UploadStore } from './uploadStore.ts'

/** A shorter piece is stored once more with what follows it: many short requests do not leave many objects. */
const shortBytes = 2 ** 20

type SharedDependencies = Pick<Dependencies, 'arrivals' | 'db' | 'encryption' | 'objects' | 'stopping'>

/**
 * Unfinished uploads that go on at any server: how far each is lies in a row, and what has arrived in the object store,
 * encrypted there as any object is. A byte counts once the store has it and the row says so. Uploads without a row
 * began in this server's folder, under an earlier version, and go on there.
 */
export class SharedUploads extends DataStore implements UploadStore {
  readonly #deps: SharedDependencies
  readonly #leases: UploadLeases
  readonly #earlier: UploadFiles

  constructor(deps: SharedDependencies, leases: UploadLeases, earlier: UploadFiles) {
    super()
    this.#deps = deps
    this.#leases = leases
    this.#earlier = earlier
    this.extensions = earlier.extensions
  }

  chooseKey = async (): Promise<{ keyId?: string }> => ({})

  async findRecord(id: string): Promise<Upload['metadata']> {
    const row = await this.#find(id)
    if (!row) return this.#earlier.findRecord(id)
    const { userId, organizationId, outcome } = row
    return { userId, organizationId, ...(outcome !== null && { outcome }) }
  }

  /** There is room for it already. */
  override async create(upload: Upload): Promise<Upload> {
    await this.#deps.db
      .updateTable('uploads')
      .set({ size: upload.size ?? null, is_begun: true })
      .where('id', '=', upload.id)
      .execute()
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const row = await this.#find(id)
    if (!row) return this.#earlier.getUpload(id)
    const { size, arrived, outcome, createdDate } = row
    const offset = outcome === null ? arrived : (size ?? arrived)
    return new Upload({ id, offset, ...(size !== undefined && { size }), creation_date: createdDate.toISOString() })
  }

  override async declareUploadLength(id: string, size: number): Promise<void> {
    if (!(await this.#find(id))) return this.#earlier.declareUploadLength(id, size)
    await this.#deps.db.updateTable('uploads').set({ size }).where('id', '=', id).execute()
  }

  async findOutcome(id: string): Promise<StoredOutcome | undefined> {
    const outcome = (await this.findRecord(id))?.outcome
    return typeof outcome === 'string' ? (JSON.parse(outcome) as StoredOutcome) : undefined
  }

  async keepOutcome(id: string, outcome: StoredOutcome): Promise<void> {
    if (!(await this.#find(id))) return this.#earlier.keepOutcome(id, outcome)
    await this.#discard(await finishUpload(this.#deps.db, id, JSON.stringify(outcome)))
  }

  async listOutcomes(): Promise<{ readonly id: string; readonly owner: UploadOwner }[]> {
    return [...(await this.#earlier.listOutcomes()), ...(await listFinished(this.#deps.db))]
  }

  override async remove(id: string): Promise<void> {
    if (!(await this.#find(id))) return this.#earlier.remove(id)
    await this.#discard(await removeUpload(this.#deps.db, id))
  }

  override async deleteExpired(): Promise<number> {
    const ids = await listExpired(this.#deps.db)
    for (const id of ids) await this.#discard(await removeUpload(this.#deps.db, id))
    return ids.length + (await this.#earlier.deleteExpired())
  }

  override getExpiration(): number {
    return uploadExpiryHours * 3_600_000
  }

  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const row = await this.#find(id)
    if (!row) return this.#earlier.write(readable, id, offset)
    if (row.outcome !== null) {
      readable.resume()
      return offset
    }
    const arrived = await this.#leases.during(id, this.#writePieces(readable, id, { ...row, arrived: offset }))
    // The sender asks how much has arrived, and goes on behind that.
    if (this.#deps.stopping.signal.aborted && arrived !== row.size) throw leaving()
    return arrived
  }

  async #writePieces(readable: Readable, id: string, row: UploadRow): Promise<number> {
    const { arrivals, db } = this.#deps
    const pieces = new Pieces(arrivals.inTurns(findCurrentTurn(), readable))
    let last = (await listPieces(db, id)).at(-1)
    let { arrived } = row
    while (await pieces.hasMore()) {
      const replaced = last !== undefined && last.bytes < shortBytes ? last : undefined
      const before = replaced ? await buffer(await this.#open(id, replaced.key)) : Buffer.alloc(0)
      last = await this.#store(id, row.organizationId, pieces.take(before), replaced, arrived)
      arrived = last.start + last.bytes
    }
    await pieces.assertWhole()
    return arrived
  }

  async #store(
    id: string,
    organizationId: string,
    content: AsyncIterable<Uint8Array>,
    replaced: UploadPiece | undefined,
    arrived: number,
  ): Promise<UploadPiece> {
    const { db, encryption, objects } = this.#deps
    const holder = this.#leases.holderOf(id)
    if (holder === undefined) throw ERRORS.INVALID_OFFSET
    const dataKey = await encryption.current(organizationId)
    const staged = await objects.stage(content, { dataKey, isApart: true })
    const start = replaced?.start ?? arrived
    const key = `${uploadsFolder}${organizationId}/${id}/${start}~${staged.nameEnd}`
    try {
      await objects.intend([{ staged, key }])
    } catch (cause) {
      await objects.discard([staged]).catch(() => undefined)
      throw cause
    }
    const piece = { start, bytes: staged.size, key }
    // Of a commit that was not answered nobody knows: the hourly sweep asks for the row.
    if (!(await addPiece(db, { id, holder, piece, replaced }))) {
      await objects.discard([staged])
      throw ERRORS.INVALID_OFFSET
    }
    await objects.keep([staged])
    if (replaced) await this.#discard([replaced.key])
    return piece
  }

  async readContent(id: string): Promise<AsyncIterable<Uint8Array>> {
    if (!(await this.#find(id))) return this.#earlier.readContent(id)
    return this.#read(id, await listPieces(this.#deps.db, id))
  }

  async *#read(id: string, pieces: readonly UploadPiece[]): AsyncGenerator<Uint8Array> {
    for (const { key } of pieces) yield* await this.#open(id, key)
  }

  async #open(id: string, key: string): Promise<Readable> {
    try {
      return await this.#deps.objects.read(key)
    } catch (cause) {
      // A backup has rows of uploads and not their bytes: whoever sends them begins anew.
      if (!(cause instanceof ObjectStoreError && cause.fault === 'MISSING')) throw cause
      await this.remove(id)
      throw uploadGone()
    }
  }

  #find = (id: string): Promise<UploadRow | undefined> => findUpload(this.#deps.db, id)

  /** What cannot be removed now is listed, and the hourly sweep removes it. */
  async #discard(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    const { db, objects } = this.#deps
    await objects
      .remove(keys)
      .then(() => db.deleteFrom('object_removals').where('object_key', 'in', keys).execute())
      .catch(() => undefined)
  }
}
