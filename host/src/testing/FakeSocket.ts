import type { ServerFrame } from '@dmp/contract/live'

/** A WebSocket whose server is the test. */
export class FakeSocket {
  static readonly OPEN = 1
  static made: FakeSocket[] = []
  readonly url: string
  readyState = 0
  sent: unknown[] = []
  closedWith: [number, string] | undefined
  onopen: (() => void) | undefined
  onmessage: ((event: { data: string }) => void) | undefined
  onclose: ((event: { code: number; reason: string }) => void) | undefined

  constructor(url: string) {
    this.url = url
    FakeSocket.made.push(this)
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }

  close(code: number, reason: string): void {
    this.closedWith = [code, reason]
    this.drop(code, reason)
  }

  open(): void {
    this.readyState = 1
    this.onopen?.()
  }

  drop(code: number, reason = ''): void {
    this.readyState = 3
    this.onclose?.({ code, reason })
  }

  say(frame: ServerFrame | string): void {
    this.onmessage?.({ data: typeof frame === 'string' ? frame : JSON.stringify(frame) })
  }
}

/** Replaces WebSocket and forgets earlier sockets. */
export function placeFakeSocket(): void {
  FakeSocket.made = []
  Object.defineProperty(globalThis, 'WebSocket', { value: FakeSocket, configurable: true, writable: true })
}

/** Returns the socket that was created last. */
export function lastSocket(): FakeSocket {
  const socket = FakeSocket.made.at(-1)
  if (!socket) throw new Error('no socket yet')
  return socket
}
