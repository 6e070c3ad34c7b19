import { Readable } from 'node:stream'
import { Refusal } from '../../core/errors.ts'
import { formatBytes } from '../../core/formatBytes.ts'
import type { Turn } from '../../core/fairTurns.ts'
import { createSemaphore } from '../../core/semaphore.ts'
import { penaltyPoints } from '../../core/penalties.ts'
import { readRanges } from '../../dicom/byteSource.ts'
import type { FilePiece } from '../../dicom/composeObject.ts'
import { DicomRefusal } from '../../dicom/refusal.ts'
import type { Dependencies } from '../../dependencies.ts'
import { ObjectStoreError, type StagedObject } from '../../outside/objectStore.ts'
import type { IntakeFlow } from '../scan/intake/intakeFlow.ts'
import { readMultipart, type PartHeaders } from './multipartReader.ts'

/** Objects sent as metadata with their bulk data (PS3.18 section 10.5.1.2): made into files, and taken in. */

const maxMetadataBytes = 4 * 2 ** 20
const maxObjects = 1000
const maxBulkValues = 10_000
/** Values that are staged at the same time; without a bound, a body of small ones would open thousands of files. */
const maxStaging = 8

interface BulkPart {
  readonly staged: StagedObject
  readonly transferSyntaxUID: string | undefined
}

export interface Sender {
  readonly organizationId: string
  readonly turn: Turn
  readonly address: string
  readonly maxBytes: number
  /** Aborted when the line was closed. */
  readonly leaving: AbortSignal
}

const tooManyBytes = (most: number): Refusal =>
  new Refusal(
    413,
    'TOO_LARGE',
    `The values of this request have more than ${formatBytes(most)} together. Send fewer objects.`,
  )
const invalid = (sentence: string): Refusal => new Refusal(400, 'INVALID', sentence)

export async function receiveDescribed(
  deps: Dependencies,
  intake: IntakeFlow,
  sender: Sender,
  body: Readable,
  boundary: string,
): Promise<void> {
  const received = new DescribedObjects(deps, sender)
  try {
    await readMultipart(body, boundary, (content, headers) => received.takePart(content, headers))
    await received.storeAll(intake)
  } finally {
    await deps.objects.discard(received.stagedObjects)
  }
}

class DescribedObjects {
  readonly #deps: Dependencies
  readonly #sender: Sender
  readonly #inTurn = createSemaphore(maxStaging)
  readonly #bulk = new Map<string, BulkPart>()
  readonly stagedObjects: StagedObject[] = []
  #metadata: Buffer | undefined
  #parts = 0
  #bytes = 0

  constructor(deps: Dependencies, sender: Sender) {
    this.#deps = deps
    this.#sender = sender
  }

  /** The first part is the metadata, all others are values. */
  async takePart(content: Readable, headers: () => PartHeaders): Promise<void> {
    this.#parts += 1
    if (this.#parts > maxBulkValues) throw new Refusal(413, 'TOO_LARGE', `Send at most ${maxBulkValues} values.`)
    if (this.#parts === 1) return this.#takeMetadata(content, headers)
    return this.#inTurn(() => this.#takeValue(content, headers))
  }

  async #takeValue(content: Readable, headers: () => PartHeaders): Promise<void> {
    const { organizationId, maxBytes } = this.#sender
    const dataKey = await this.#deps.encryption.current(organizationId)
    const staged = await this.#deps.objects
      .stage(content, { maxBytes: Math.max(1, maxBytes - this.#bytes), dataKey, isApart: true })
      .catch((cause: unknown) => {
        throw cause instanceof ObjectStoreError && cause.fault === 'TOO_LARGE' ? tooManyBytes(maxBytes) : cause
      })
    this.stagedObjects.push(staged)
    this.#bytes += staged.size
    // The one before may have been counted only after this one began.
    if (this.#bytes > maxBytes) throw tooManyBytes(maxBytes)
    const { mediaType, location } = headers()
    if (location === undefined) throw invalid('A part of bulk data has no Content-Location.')
    const isPlain = /^application\/octet-stream\b/i.test(mediaType)
    const transferSyntaxUID = /;\s*transfer-syntax="?([\d.]{1,64})/i.exec(mediaType)?.[1]
    if (!isPlain && transferSyntaxUID === undefined)
      throw invalid('Bulk data that are not application/octet-stream must state their transfer-syntax.')
    this.#bulk.set(location, { staged, transferSyntaxUID: isPlain ? undefined : transferSyntaxUID })
  }

  async #takeMetadata(content: Readable, headers: () => PartHeaders): Promise<void> {
    const pieces: Buffer[] = []
    let bytes = 0
    for await (const piece of content as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > maxMetadataBytes)
        throw new Refusal(413, 'TOO_LARGE', 'The metadata are longer than 4 MB. Send large values as bulk data.')
      pieces.push(piece)
    }
    if (!/^application\/(?:dicom\+)?json\b/i.test(headers().mediaType))
      throw invalid('The first part must be the metadata, as application/dicom+json.')
    this.#metadata = Buffer.concat(pieces)
  }

  async storeAll(intake: IntakeFlow): Promise<void> {
    if (!this.#metadata) throw invalid('The request contains no metadata.')
    const values = [...this.#bulk].map(([uri, { staged, transferSyntaxUID }]) => ({
      uri,
      length: staged.size,
      transferSyntaxUID,
    }))
    // Who sends little may not have much written, hashed and kept.
    const max = { objects: maxObjects, bytes: this.#metadata.length + this.#bytes }
    const input = { json: this.#metadata, values, max }
    const composed = await this.#deps.reader
      .run('compose', input, { turn: this.#sender.turn })
      .catch((cause: unknown) => {
        if (!(cause instanceof DicomRefusal)) throw cause
        throw cause.reason === 'TOO_LARGE' ? new Refusal(413, 'TOO_LARGE', cause.message) : invalid(cause.message)
      })
    for (const object of composed) {
      this.#assertSomebodyWaits()
      if ('problem' in object) intake.refuse(new DicomRefusal('UNREADABLE', object.problem))
      else await intake.take(Readable.from(this.#readPieces(object), { objectMode: false }))
    }
  }

  /** For a sender who hung up nothing more is stored: the upload broke off, even with the whole body sent. */
  #assertSomebodyWaits(): void {
    const { leaving, turn, address } = this.#sender
    if (!leaving.aborted) return
    this.#deps.penalties.charge(
      { userId: turn.person, organizationId: turn.customer },
      address,
      penaltyPoints.brokenOff,
    )
    throw invalid('The line was closed before the objects were stored.')
  }

  async *#readPieces(pieces: readonly FilePiece[]): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) {
      if (piece instanceof Uint8Array) {
        yield piece
        continue
      }
      const source = await this.#bulk.get(piece.uri)?.staged.open()
      if (!source) continue
      try {
        yield* readRanges(source, [{ offset: 0, length: source.size }])
      } finally {
        await source.close()
      }
    }
  }
}
