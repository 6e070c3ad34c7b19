import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface SlowLine {
  readonly url: string
  close(): void
}

interface Speed {
  /** Megabytes a second, for all connections together; as fast as this machine where left out. */
  readonly up?: number
  readonly down?: number
  readonly roundTripMs: number
  /** A connection takes a round trip before it carries anything, as one of TCP does. */
  readonly isConnecting?: boolean
}

/** A line to a server that carries so much, for all who use it together, and takes its time there and back. */
export async function openSlowLine(
  target: string,
  { up = Number.POSITIVE_INFINITY, down = Number.POSITIVE_INFINITY, roundTripMs, isConnecting = false }: Speed,
): Promise<SlowLine> {
  const sockets = new Set<Socket>()
  const ways = { up: { bytesPerMs: up * 1000, freeAt: 0 }, down: { bytesPerMs: down * 1000, freeAt: 0 } }
  const { protocol, port: targetPort } = new URL(target)
  const server = createServer((near) => {
    const far = connect(Number(targetPort), '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => undefined).on('close', () => (near.destroy(), far.destroy(), sockets.delete(socket)))
    }
    const openAt = performance.now() + (isConnecting ? roundTripMs : 0)
    carry(near, far, ways.up, { openAt, delayMs: roundTripMs / 2 })
    carry(far, near, ways.down, { openAt, delayMs: roundTripMs / 2 })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `${protocol}//${protocol === 'https:' ? 'localhost' : '127.0.0.1'}:${port}`,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

interface Way {
  readonly bytesPerMs: number
  /** When what was sent before is on its way. */
  freeAt: number
}

function carry(from: Socket, to: Socket, way: Way, { openAt, delayMs }: { openAt: number; delayMs: number }): void {
  let sent = Promise.resolve()
  from.on('data', (chunk: Buffer) => {
    const now = performance.now()
    way.freeAt = Math.max(now, openAt, way.freeAt) + chunk.length / way.bytesPerMs
    const arrivesAt = way.freeAt + delayMs
    // As the window of TCP does: what is sent waits at the sender.
    from.pause()
    setTimeout(() => from.resume(), way.freeAt - now)
    // One after the other: timers of different lengths may change places.
    sent = sent.then(() => waitUntil(arrivesAt)).then(() => void to.write(chunk))
  })
}

function waitUntil(at: number): Promise<void> {
  return new Promise((done) => setTimeout(done, Math.max(0, at - performance.now())))
}
