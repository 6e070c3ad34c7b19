import { promisify } from 'node:util'
import { crc32, gunzip, gzip } from 'node:zlib'
import { createHash } from 'node:crypto'
import type { Db } from '../../../db/client.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { ObjectStoreError } from '../../../outside/objectStore.ts'
import type { ArchiveFile } from './archiveFormat.ts'

/** A file of an archive, and where its bytes lie: in the object store, or in pieces from a number on. */
export type PartFile = ArchiveFile & ({ readonly key: string } | { readonly piece: number })

/** A part of an export, whose pieces are numbered from 1 on; 0 lists its files. */
export interface PartPlace {
  readonly organizationId: string
  readonly exportId: string
  readonly position: number
}

type PieceDependencies = Pick<Dependencies, 'db' | 'encryption'>

const pieceBytes = 2 ** 20
/** Some hundred bytes for each of 5,000 files, or for those of one series. */
const mostListBytes = 256 * 2 ** 20
const pack = promisify(gzip)
const unpack = promisify(gunzip)

const toValuePlace = ({ organizationId, exportId, position }: PartPlace, piece: number) =>
  ['export', organizationId, exportId, String(position), String(piece)] as const

async function writePiece(deps: PieceDependencies, place: PartPlace, piece: number, bytes: Buffer): Promise<void> {
  const packed = await pack(bytes)
  const dataKey = await deps.encryption.current(place.organizationId)
  const content = dataKey?.seal(toValuePlace(place, piece), packed) ?? packed
  await deps.db
    .insertInto('organization_export_pieces')
    .values({ export_id: place.exportId, position: place.position, piece, content, key_id: dataKey?.id ?? null })
    .execute()
}

async function readPiece(deps: PieceDependencies, place: PartPlace, piece: number, mostBytes: number): Promise<Buffer> {
  const row = await deps.db
    .selectFrom('organization_export_pieces')
    .select(['content', 'key_id'])
    .where('export_id', '=', place.exportId)
    .where('position', '=', place.position)
    .where('piece', '=', piece)
    .executeTakeFirst()
  // The export ended meanwhile.
  if (!row) throw new ObjectStoreError('MISSING')
  const packed = await deps.encryption.unseal(toValuePlace(place, piece), row.content, row.key_id)
  return unpack(packed, { maxOutputLength: mostBytes })
}

/** Writes the files of a part that lie nowhere else, each in pieces of the same length. */
export class PieceWriter {
  readonly #deps: PieceDependencies
  readonly #place: PartPlace
  #next = 1

  constructor(deps: PieceDependencies, place: PartPlace) {
    this.#deps = deps
    this.#place = place
  }

  async write(
    name: string,
    content: AsyncIterable<string> | Iterable<string | Buffer>,
  ): Promise<PartFile & { readonly sha256: string }> {
    const first = this.#next
    const hash = createHash('sha256')
    let [size, crc] = [0, 0]
    let waiting: Buffer[] = []
    let waitingBytes = 0
    for await (const text of content) {
      const bytes = Buffer.from(text)
      hash.update(bytes)
      crc = crc32(bytes, crc)
      size += bytes.length
      waiting.push(bytes)
      waitingBytes += bytes.length
      if (waitingBytes < pieceBytes) continue
      const all = Buffer.concat(waiting)
      let at = 0
      for (; all.length - at >= pieceBytes; at += pieceBytes) await this.#writeNext(all.subarray(at, at + pieceBytes))
      waiting = [all.subarray(at)]
      waitingBytes = all.length - at
    }
    if (waitingBytes > 0) await this.#writeNext(Buffer.concat(waiting))
    return { name, size, crc, piece: first, sha256: hash.digest('hex') }
  }

  async list(files: readonly PartFile[]): Promise<void> {
    await writePiece(this.#deps, this.#place, 0, Buffer.from(JSON.stringify(files)))
  }

  async #writeNext(bytes: Buffer): Promise<void> {
    await writePiece(this.#deps, this.#place, this.#next, bytes)
    this.#next += 1
  }
}

/** What a stopped job left of a part is begun anew. */
export const clearPieces = async (db: Db, { exportId, position }: PartPlace): Promise<void> =>
  void (await db
    .deleteFrom('organization_export_pieces')
    .where('export_id', '=', exportId)
    .where('position', '>=', position)
    .execute())

export const readFiles = async (deps: PieceDependencies, place: PartPlace): Promise<PartFile[]> =>
  JSON.parse((await readPiece(deps, place, 0, mostListBytes)).toString()) as PartFile[]

/** Bytes `[start, end)` of a file in pieces. */
export async function* readPieces(
  deps: PieceDependencies,
  place: PartPlace,
  first: number,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Buffer> {
  for (let at = start; at < end;) {
    const piece = Math.floor(at / pieceBytes)
    const bytes = await readPiece(deps, place, first + piece, pieceBytes)
    const from = at - piece * pieceBytes
    const wanted = bytes.subarray(from, from + end - at)
    if (wanted.length === 0) throw new ObjectStoreError('DAMAGED')
    yield wanted
    at += wanted.length
  }
}
