import type { ClientFrame, ServerFrame } from '@dmp/contract/live'
import { WebSocket } from 'ws'

export interface LiveChannel {
  send(frame: ClientFrame | Record<string, unknown>): void
  sendRaw(data: string | Buffer): void
  /** The next frame that was not taken yet. */
  next(): Promise<ServerFrame>
  /** Every frame so far that was not taken. */
  readonly frames: ServerFrame[]
  /** Once everything is here that was sent by now. */
  hear(): Promise<void>
  readonly isOpen: boolean
  readonly closed: Promise<{ code: number; reason: string }>
  close(): void
}

/** Opens the live channel of a listening server; rejects with the HTTP status when the upgrade is refused. */
export async function openLive(
  url: string,
  query: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<LiveChannel> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/live?${new URLSearchParams(query)}`, { headers })
  const frames: ServerFrame[] = []
  const listeners: ((frame: ServerFrame) => void)[] = []
  socket.on('message', (data) => {
    const frame = JSON.parse(data.toString()) as ServerFrame
    const taker = listeners.shift()
    if (taker) taker(frame)
    else frames.push(frame)
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  )
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('unexpected-response', (_request, response) => reject(new Error(`refused with ${response.statusCode}`)))
    socket.on('error', reject)
  })
  return {
    send: (frame) => socket.send(JSON.stringify(frame)),
    sendRaw: (data) => socket.send(data),
    next: () => {
      const frame = frames.shift()
      if (frame) return Promise.resolve(frame)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('no frame within 30 s')), 30_000)
        listeners.push((received) => {
          clearTimeout(timer)
          resolve(received)
        })
      })
    },
    frames,
    hear: async () => {
      if (socket.readyState !== socket.OPEN) return
      const answered = new Promise<void>((resolve) => socket.once('pong', () => resolve()))
      socket.ping()
      await Promise.race([answered, closed])
    },
    get isOpen() {
      return socket.readyState === socket.OPEN
    },
    closed,
    close: () => socket.terminate(),
  }
}
