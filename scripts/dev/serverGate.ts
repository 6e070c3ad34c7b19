import { connect, createServer, type Server, type Socket } from 'node:net'
import { pipeline } from 'node:stream'

/** More connections than any page has, and an end for a program that asks on and on. */
const mostHeld = 1000
/** A start takes less, and people wait no longer. */
const heldMs = 10_000

interface GateOptions {
  readonly most?: number
  readonly milliseconds?: number
}

/**
 * Stands before a server that is started anew again and again. What arrives while there is none is held, unread, and
 * passed on as soon as there is one; nobody is refused for an edit. Of the two ways to know that a request is about to
 * come, an open connection and its first bytes, only the second counts: a program that connected and was then busy for
 * a moment would otherwise have a line to a server that ends.
 */
export class ServerGate {
  readonly #most: number
  readonly #milliseconds: number
  readonly #held = new Map<Socket, NodeJS.Timeout>()
  readonly #lines = new Set<Socket>()
  readonly #listener: Server
  /** Of the server, while it answers. */
  #port: number | undefined

  constructor({ most = mostHeld, milliseconds = heldMs }: GateOptions = {}) {
    this.#most = most
    this.#milliseconds = milliseconds
    this.#listener = createServer((line) => this.#receive(line))
  }

  /** Listens on this machine alone. */
  listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#listener.once('error', reject)
      this.#listener.listen(port, '127.0.0.1', resolve)
    })
  }

  /** From now on everything new waits; what was passed on goes on. */
  hold(): void {
    this.#port = undefined
  }

  /** There is a server on this port. */
  open(port: number): void {
    this.#port = port
    for (const line of this.#held.keys()) this.#admit(line)
  }

  /** There is no server, and none is about to come. */
  refuse(): void {
    this.hold()
    for (const line of this.#held.keys()) line.destroy()
  }

  close(): void {
    this.#listener.close()
    for (const line of this.#lines) line.destroy()
  }

  #receive(line: Socket): void {
    this.#lines.add(line)
    line.on('error', () => line.destroy())
    line.once('close', () => {
      this.#lines.delete(line)
      this.#release(line)
    })
    line.once('readable', () => this.#admit(line))
  }

  #admit(line: Socket): void {
    if (this.#port !== undefined) this.#pass(line, this.#port)
    else if (this.#held.size >= this.#most) line.destroy()
    else
      this.#held.set(
        line,
        setTimeout(() => line.destroy(), this.#milliseconds),
      )
  }

  #pass(line: Socket, port: number): void {
    this.#release(line)
    const server = connect(port, '127.0.0.1')
    // Whichever end breaks off, the other one learns of it.
    pipeline(line, server, line, () => undefined)
  }

  #release(line: Socket): void {
    clearTimeout(this.#held.get(line))
    this.#held.delete(line)
  }
}
