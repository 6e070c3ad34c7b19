import { MemoryLocker, type Lock, type Locker } from '@tus/server'

/**
 * One request at a time writes to an upload. When the server stops, each is asked to let go, as if another one wanted
 * to go on with it: the bytes that have arrived are kept.
 */
export class UploadLocker implements Locker {
  readonly #locker = new MemoryLocker()
  readonly #stopping: AbortSignal

  constructor(stopping: AbortSignal) {
    this.#stopping = stopping
  }

  newLock(id: string): Lock {
    const lock = this.#locker.newLock(id)
    const stopping = this.#stopping
    let letGo: () => void = () => undefined
    return {
      lock: async (signal, requestRelease) => {
        await lock.lock(signal, requestRelease)
        letGo = () => void requestRelease()
        if (stopping.aborted) letGo()
        else stopping.addEventListener('abort', letGo, { once: true })
      },
      unlock: async () => {
        stopping.removeEventListener('abort', letGo)
        await lock.unlock()
      },
    }
  }
}
