import { commandField, readCommand, responseBit, writeCommand, type Command } from './commands.ts'
import { AssociationOver, ProtocolFault } from './faults.ts'
import { inBlocks } from './inBlocks.ts'
import type { Line } from './line.ts'
import { dimseLimits } from './limits.ts'
import { dataHead, pduType, readData, releaseReply, releaseRequest, type DataValue } from './pdus.ts'

/** A presentation context that both sides agreed on. */
export interface Context {
  readonly id: number
  readonly abstractSyntax: string
  readonly transferSyntax: string
}

/** A command, and the data set that follows it: to be read before the next message. */
export interface Message {
  readonly context: Context
  readonly command: Command
  readonly data: AsyncGenerator<Buffer> | undefined
}

const noBytes = Buffer.alloc(0)
const fragmentHeadBytes = 6

/** Messages (PS3.7) over an association. Reading and writing may go on at the same time; each one after the other. */
export class Association {
  readonly contexts: ReadonlyMap<number, Context>
  readonly #line: Line
  readonly #fragmentBytes: number
  #values: readonly DataValue[] = []
  /** Of `#values`, the next one: taking it out of the list would move all others, and there may be thousands. */
  #at = 0
  #data: AsyncGenerator<Buffer> | undefined
  #ahead: Promise<Message | undefined> | undefined
  #messageId = 0
  /** Requests that the partner took back. */
  readonly #cancelled = new Set<number>()

  /**
   * `peerMaxLength`: the longest PDU that the partner takes, 0 for any. Throws `ProtocolFault` where that is too short.
   */
  constructor(line: Line, contexts: readonly Context[], peerMaxLength: number) {
    if (peerMaxLength !== 0 && peerMaxLength < dimseLimits.leastPduBytes)
      throw new ProtocolFault('invalidParameter', 'The partner takes PDUs that are too short.')
    this.#line = line
    this.contexts = new Map(contexts.map((context) => [context.id, context]))
    const most = peerMaxLength === 0 ? dimseLimits.pduBytes : Math.min(peerMaxLength, dimseLimits.pduBytes)
    this.#fragmentBytes = most - fragmentHeadBytes - (most % 2)
  }

  /**
   * The next message; undefined when the partner released the association, which is answered. What was not read of the
   * message before is dropped. Throws `ProtocolFault` and `AssociationOver`.
   */
  async receive(): Promise<Message | undefined> {
    for (;;) {
      const message = await this.#takeAhead()
      if (message?.command.field !== commandField.cancelRequest) {
        // What was taken back before was another request, whose number may be used again.
        if (message?.command.messageId !== undefined) this.#cancelled.clear()
        return message
      }
      this.#cancelled.add(message.command.respondedTo ?? 0)
    }
  }

  /** Whether the partner has taken a request back: what it sends is read meanwhile. */
  async isCancelled(messageId: number): Promise<boolean> {
    this.#ahead ??= this.#receive()
    // It may fail while nobody looks.
    this.#ahead.catch(() => undefined)
    // Throws as soon as the association is over.
    const message = await Promise.race([this.#ahead, new Promise<null>((later) => setImmediate(later, null))])
    if (message?.command.field === commandField.cancelRequest) {
      this.#ahead = undefined
      this.#cancelled.add(message.command.respondedTo ?? 0)
    }
    return this.#cancelled.has(messageId)
  }

  async send(context: Context, command: Command, data?: AsyncIterable<Uint8Array> | Uint8Array): Promise<void> {
    await this.#sendBytes(context, writeCommand(command, data !== undefined), true, true)
    if (data instanceof Uint8Array) return this.#sendBytes(context, data, false, true)
    if (data === undefined) return
    for await (const piece of data) if (piece.length > 0) await this.#sendBytes(context, piece, false, false)
    await this.#sendBytes(context, noBytes, false, true)
  }

  /** Sends a request and returns its answer. Throws when the partner sends anything else meanwhile. */
  async request(context: Context, command: Command, data?: AsyncIterable<Uint8Array> | Uint8Array): Promise<Command> {
    this.#messageId = (this.#messageId % 0xffff) + 1
    await this.send(context, { ...command, messageId: this.#messageId }, data)
    const answer = await this.receive()
    if (!answer) throw new AssociationOver('closed')
    if (answer.command.field !== (command.field | responseBit) || answer.command.respondedTo !== this.#messageId)
      throw new ProtocolFault('notSpecified', 'The answer is that of another request.')
    return answer.command
  }

  /** Asks for the end, and waits for the answer. */
  async release(): Promise<void> {
    await this.#line.write(releaseRequest())
    await this.#line.read(dimseLimits.associateMs).catch(() => undefined)
    this.#line.end()
  }

  abort(reason?: number): void {
    this.#line.abort(reason)
  }

  async #takeAhead(): Promise<Message | undefined> {
    const ahead = this.#ahead
    this.#ahead = undefined
    return ahead ?? this.#receive()
  }

  async #receive(): Promise<Message | undefined> {
    for await (const _rest of this.#data ?? []);
    this.#data = undefined
    const pieces: Buffer[] = []
    let bytes = 0
    let contextId: number | undefined
    for (;;) {
      const value = await this.#nextValue(contextId === undefined)
      if (!value) return undefined
      if (!value.isCommand || (contextId !== undefined && value.contextId !== contextId))
        throw new ProtocolFault('unexpectedParameter', 'A data set came where a command belongs.')
      contextId = value.contextId
      // An empty fragment costs its place, and there may be any number of them.
      bytes += fragmentHeadBytes + value.bytes.length
      if (bytes > dimseLimits.commandBytes) throw new ProtocolFault('notSpecified', 'The command set is too long.')
      pieces.push(value.bytes)
      if (value.isLast) break
    }
    const context = this.contexts.get(contextId)
    if (!context) throw new ProtocolFault('invalidParameter', 'The context was not agreed on.')
    const { command, hasDataSet } = readCommand(Buffer.concat(pieces))
    this.#data = hasDataSet ? inBlocks(this.#readDataSet(context)) : undefined
    return { context, command, data: this.#data }
  }

  async *#readDataSet({ id }: Context): AsyncGenerator<Buffer> {
    for (;;) {
      const value = await this.#nextValue(false)
      if (!value || value.isCommand || value.contextId !== id)
        throw new ProtocolFault('unexpectedParameter', 'Something else came before the end of a data set.')
      if (value.bytes.length > 0) yield value.bytes
      if (value.isLast) return
    }
  }

  /** Undefined for the end of the association, which may come between messages only. */
  async #nextValue(mayEnd: boolean): Promise<DataValue | undefined> {
    const known = this.#values[this.#at]
    this.#at += 1
    if (known) return known
    const { type, bytes } = await this.#line.read()
    if (type === pduType.abort) throw new AssociationOver('aborted')
    if (type === pduType.releaseRequest && mayEnd) {
      await this.#line.write(releaseReply())
      this.#line.end()
      return undefined
    }
    if (type !== pduType.data) throw new ProtocolFault('unexpectedPdu', 'This PDU does not belong here.')
    this.#values = readData(bytes)
    this.#at = 1
    return this.#values[0]
  }

  async #sendBytes({ id }: Context, bytes: Uint8Array, isCommand: boolean, isEnd: boolean): Promise<void> {
    for (let at = 0; at === 0 || at < bytes.length; at += this.#fragmentBytes) {
      const piece = bytes.subarray(at, at + this.#fragmentBytes)
      const isLast = isEnd && at + this.#fragmentBytes >= bytes.length
      await this.#line.write(dataHead({ contextId: id, isCommand, isLast }, piece.length), piece)
    }
  }
}
