/** What an iterable gives is fetched without waiting for who takes it, so that it is known how much there is. */
export async function* lookAhead<T>(all: AsyncIterable<T>, onEnd: () => void): AsyncGenerator<T, void, undefined> {
  const queue: T[] = []
  let isOver = false
  let isLeft = false
  let failure: unknown
  let wake: () => void = () => undefined
  const look = async (): Promise<void> => {
    try {
      for await (const each of all) {
        if (isLeft) return
        queue.push(each)
        wake()
      }
    } catch (cause) {
      failure = cause
    } finally {
      isOver = true
      onEnd()
      wake()
    }
  }
  const looking = look()
  try {
    for (let next = 0; ;) {
      if (next < queue.length) {
        yield queue[next++] as T
        // What was taken is let go, now and then.
        if (next === 1000) {
          queue.splice(0, next)
          next = 0
        }
      } else if (isOver) break
      else await new Promise<void>((resolve) => (wake = resolve))
    }
    if (failure !== undefined) throw failure
  } finally {
    // Who takes no more ends the look: the next one counts anew.
    isLeft = true
    await looking
  }
}
