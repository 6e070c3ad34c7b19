import type { FromGuest, ToGuest } from '@dmp/contract/guest'
import { CallError, type Asked } from '@dmp/kit'

/** What the page around says by itself: where it goes, in which colours it is, and who is there with which keys. */
export type Told = Exclude<ToGuest, { readonly ping: number } | { readonly id: number }>

/** The frame's side of the port. */
export interface Link {
  readonly tell: (message: FromGuest) => void
  readonly ask: (asked: Asked, signal: AbortSignal | undefined) => Promise<unknown>
  readonly follow: (listener: (message: Told) => void) => () => void
}

interface Waiting {
  readonly resolve: (reply: unknown) => void
  readonly reject: (error: unknown) => void
}

export function openLink(port: MessagePort): Link {
  const waiting = new Map<number, Waiting>()
  const listeners = new Set<Parameters<Link['follow']>[0]>()
  let lastId = 0
  const tell = (message: FromGuest): void => port.postMessage(message)
  port.onmessage = ({ data }: MessageEvent<ToGuest>) => {
    if ('ping' in data) return tell({ pong: data.ping })
    if (!('id' in data)) return listeners.forEach((listener) => listener(data))
    const asking = waiting.get(data.id)
    waiting.delete(data.id)
    if ('reply' in data) asking?.resolve(data.reply)
    else {
      const { status, code, message, ...details } = data.refusal
      asking?.reject(new CallError(status, code, message, details))
    }
  }
  return {
    tell,
    ask: ({ name, path, query, body, seenUpdatedDate }, signal) =>
      new Promise((resolve, reject) => {
        const id = ++lastId
        waiting.set(id, { resolve, reject })
        signal?.addEventListener('abort', () => {
          waiting.delete(id)
          tell({ stop: id })
          reject(signal.reason as Error)
        })
        tell({ id, call: name, path, query, body, ...(seenUpdatedDate === undefined ? {} : { seenUpdatedDate }) })
      }),
    follow: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
