import type { Socket } from 'node:net'
import { AssociationOver, ProtocolFault } from './faults.ts'
import { dimseLimits } from './limits.ts'
import { abort, pduType } from './pdus.ts'

export interface Pdu {
  readonly type: number
  readonly bytes: Buffer
}

const headBytes = 6
/** Release, abort and rejection have four bytes; a few more hurt nobody. */
const shortBytes = 64

/** What a line may take for a PDU of its type. */
function longest(type: number): number {
  if (type === pduType.associateRequest || type === pduType.associateAccept) return dimseLimits.associateBytes
  if (type === pduType.data) return dimseLimits.pduBytes
  if (type >= pduType.associateReject && type <= pduType.abort) return shortBytes
  throw new ProtocolFault('unrecognizedPdu', 'The PDU is of no type of the protocol.')
}

/**
 * PDUs over a connection, of which no more than one is in memory: the next bytes are read when the next PDU is asked
 * for, so that a partner sends no quicker than its objects are written.
 */
export class Line {
  readonly #socket: Socket
  readonly #chunks: AsyncIterator<Buffer>
  #buffered: Buffer[] = []
  #bufferedBytes = 0
  #pdus = 0
  readonly #idleMs: number

  constructor(socket: Socket, idleMs: number) {
    this.#socket = socket
    this.#idleMs = idleMs
    socket.setNoDelay(true)
    // Each end shows where somebody waits for the line.
    socket.on('error', () => undefined)
    this.#chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  /** The next PDU. Throws `ProtocolFault`, and `AssociationOver` when none comes. */
  async read(withinMs = this.#idleMs): Promise<Pdu> {
    this.#pdus += 1
    if (this.#pdus % dimseLimits.pdusPerTurn === 0) await new Promise((later) => setImmediate(later))
    const head = await this.#take(headBytes, withinMs)
    const type = head.readUInt8(0)
    const length = head.readUInt32BE(2)
    if (length > longest(type)) throw new ProtocolFault('invalidParameter', 'The PDU is longer than was agreed.')
    return { type, bytes: await this.#take(length, withinMs) }
  }

  /** Waits while the partner does not take what was sent before. */
  async write(...pieces: readonly Uint8Array[]): Promise<void> {
    this.#socket.cork()
    let goesOn = true
    for (const piece of pieces) goesOn = this.#socket.write(piece)
    this.#socket.uncork()
    if (this.#socket.destroyed) throw new AssociationOver('closed')
    if (!goesOn) await this.#drained()
  }

  /** Says why, where it still can, and closes. */
  abort(reason?: number): void {
    if (this.#socket.destroyed) return
    this.#socket.end(abort(reason))
    setTimeout(() => this.#socket.destroy(), lastMs).unref()
  }

  /** After the last PDU was written. */
  end(): void {
    this.#socket.end()
    setTimeout(() => this.#socket.destroy(), lastMs).unref()
  }

  async #take(length: number, withinMs: number): Promise<Buffer> {
    while (this.#bufferedBytes < length) await this.#fill(withinMs)
    const bytes = this.#buffered.length === 1 ? this.#buffered[0]! : Buffer.concat(this.#buffered)
    const rest = bytes.subarray(length)
    this.#buffered = rest.length > 0 ? [rest] : []
    this.#bufferedBytes = rest.length
    return bytes.subarray(0, length)
  }

  async #fill(withinMs: number): Promise<void> {
    const timer = setTimeout(() => this.#socket.destroy(new AssociationOver('idle')), withinMs)
    try {
      const { done, value } = await this.#chunks.next()
      if (done) throw new AssociationOver('closed')
      this.#buffered.push(value)
      this.#bufferedBytes += value.length
    } catch (cause) {
      throw cause instanceof AssociationOver ? cause : new AssociationOver('closed', { cause })
    } finally {
      clearTimeout(timer)
    }
  }

  async #drained(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const socket = this.#socket
    const timer = setTimeout(() => socket.destroy(new AssociationOver('idle')), this.#idleMs)
    socket.once('drain', resolve).once('close', resolve)
    await promise
    clearTimeout(timer)
    socket.off('drain', resolve).off('close', resolve)
    if (socket.destroyed) throw new AssociationOver('closed')
  }
}

/** Time for the partner to read the last PDU and close. */
const lastMs = 2000
