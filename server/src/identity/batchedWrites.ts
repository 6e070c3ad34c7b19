export interface BatchedWrites<V> {
  /** To be written soon, instead of what was to be written for the same id. */
  set(id: string, value: V): void
  get(id: string): V | undefined
  close(): Promise<void>
}

const flushMs = 5000

/** Small facts of many requests, written together now and then instead of once per request. */
export function createBatchedWrites<V>(
  write: (batch: readonly (readonly [id: string, value: V])[]) => Promise<unknown>,
  onProblem: (error: unknown) => void,
): BatchedWrites<V> {
  const pending = new Map<string, V>()
  const writePending = async (): Promise<void> => {
    if (pending.size === 0) return
    const batch = [...pending]
    pending.clear()
    await write(batch)
  }
  // One after the other, so that closing waits for the write under way.
  let underWay = Promise.resolve()
  const flush = (): Promise<void> => (underWay = underWay.then(writePending).catch(onProblem))
  const timer = setInterval(() => void flush(), flushMs)
  timer.unref()
  return {
    set: (id, value) => void pending.set(id, value),
    get: (id) => pending.get(id),
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}
