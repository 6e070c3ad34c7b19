import { EventEmitter } from 'node:events'
import type { DatabaseThread, EmbeddedAnswer, EmbeddedStart, EmbeddedStep } from '../../server/src/db/embedded.ts'

/** What a server tells the process that started it and keeps its database open. */
export type KeeperMessage =
  | ({ readonly id: number } & EmbeddedStep)
  | { readonly kind: 'open'; readonly start: EmbeddedStart }
  | { readonly kind: 'end' }
  | { readonly kind: 'listening' }

/** The database of the process that started this one, as if its thread were one of this process. */
export function openKeptThread(start: EmbeddedStart): DatabaseThread {
  const thread = new EventEmitter()
  const send = (message: KeeperMessage): void => void (process.connected && process.send?.(message))
  const hear = (reply: EmbeddedAnswer): void => void thread.emit('message', reply)
  let isClosed = false
  process.on('message', hear)
  process.once('disconnect', () => thread.emit('exit'))
  send({ kind: 'open', start })
  return {
    on: (event: string, hearEvent: (...what: never[]) => void) => thread.on(event, hearEvent as () => void),
    postMessage: (step) => {
      isClosed = step.kind === 'close'
      send(step)
    },
    terminate: async () => {
      process.off('message', hear)
      // After a server that closes, the next one goes on with the same thread.
      if (!isClosed) send({ kind: 'end' })
      else if (process.connected) process.disconnect()
    },
  }
}
