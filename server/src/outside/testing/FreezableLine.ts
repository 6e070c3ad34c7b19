import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** A line to a store that can be told to take everything and say nothing, as the line of a process that is stopped. */
export class FreezableLine {
  #isFrozen = false
  /** What freezes it: words of a request or of an answer. */
  #trigger: string | undefined
  readonly #sockets = new Set<Socket>()
  readonly #server: Server

  constructor(target: URL) {
    this.#server = createServer((incoming) => {
      this.#watch(incoming)
      if (this.#isFrozen) return
      const outgoing = connect(Number(target.port), target.hostname)
      this.#watch(outgoing)
      incoming.on('data', (bytes: Buffer) => this.#pass(bytes, outgoing))
      outgoing.on('data', (bytes: Buffer) => this.#pass(bytes, incoming))
      incoming.on('close', () => outgoing.destroy())
      outgoing.on('close', () => incoming.destroy())
    })
  }

  /** Its origin. */
  async listen(): Promise<string> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  freeze(): void {
    this.#isFrozen = true
  }

  /** Freezes as soon as these words pass; what they came with still arrives as far as the words. */
  freezeAt(words: string): void {
    this.#trigger = words
  }

  /** Lines from before stay dead. */
  thaw(): void {
    this.#isFrozen = false
    this.#trigger = undefined
    for (const socket of this.#sockets) socket.destroy()
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }

  #watch(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => this.#sockets.delete(socket))
  }

  #pass(bytes: Buffer, to: Socket): void {
    if (this.#isFrozen) return
    const at = this.#trigger === undefined ? -1 : bytes.indexOf(this.#trigger)
    if (at < 0) return void to.write(bytes)
    this.#isFrozen = true
    to.write(bytes.subarray(0, at + (this.#trigger?.length ?? 0)))
  }
}
