/**
 * Runs at most `maxAtOnce` pieces of work at a time, in their order, so that costly work leaves room for other work.
 * For work of one owner, such as a request: that of several customers waits in `FairTurns`
 * (`scripts/checks/turns.test.ts`).
 */
export function createSemaphore(maxAtOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const queue: (() => void)[] = []
  return async (work) => {
    if (running >= maxAtOnce) await new Promise<void>((go) => queue.push(go))
    else running += 1
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }
}

/**
 * Works on the items in `lanes` lanes. A lane ends with its first failure and the others go on, so that one bad item
 * leaves no other undone, while a store that is away is asked only once per lane. Waits for all lanes before it throws.
 */
export async function forEachInLanes<T>(
  lanes: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const lane = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  const results = await Promise.allSettled(Array.from({ length: Math.min(lanes, items.length) }, lane))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
