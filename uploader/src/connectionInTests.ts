import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

interface Connection {
  readonly address: string
  readonly server: Server
  readonly cut: (isCut: boolean) => void
  readonly sent: () => number
}

/** A connection to the server that can be cut. */
export async function openConnection(address: string): Promise<Connection> {
  let isBroken = false
  let sent = 0
  const sockets = new Set<Socket>()
  const proxy = createServer((near) => {
    if (isBroken) return near.destroy()
    const far = connect(Number(new URL(address).port), '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => (near.destroy(), far.destroy()))
    }
    near.on('data', (chunk: Buffer) => (sent += chunk.length))
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  const cut = (broken: boolean) => {
    isBroken = broken
    if (broken) sockets.forEach((socket) => socket.destroy())
  }
  return { address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, server: proxy, cut, sent: () => sent }
}
