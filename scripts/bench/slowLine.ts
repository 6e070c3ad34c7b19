import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface SlowLine {
  readonly url: string
  close(): void
}

/** A line to a server that carries so much, for all who use it together, and takes its time there and back. */
export async function openSlowLine(target: string, megabytesPerSecond: number, roundTripMs: number): Promise<SlowLine> {
  const sockets = new Set<Socket>()
  let freeAt = 0
  const server = createServer((near) => {
    const far = connect(Number(new URL(target).port), '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => undefined).on('close', () => (near.destroy(), far.destroy(), sockets.delete(socket)))
    }
    near.on('data', (chunk: Buffer) => {
      const now = performance.now()
      freeAt = Math.max(now, freeAt) + chunk.length / megabytesPerSecond / 1000
      // As the window of TCP does: what is sent waits at the sender.
      near.pause()
      setTimeout(() => near.resume(), freeAt - now)
      setTimeout(() => far.write(chunk), freeAt - now + roundTripMs / 2)
    })
    far.on('data', (chunk: Buffer) => void setTimeout(() => near.write(chunk), roundTripMs / 2))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
