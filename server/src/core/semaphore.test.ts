import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSemaphore, forEachInLanes } from './semaphore.ts'

describe('work that is done a few at a time', () => {
  it('never exceeds its number, and goes on in the order in which it came', async () => {
    const inTurn = createSemaphore(2)
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
    const begun: number[] = []
    const all = gates.map((gate, n) =>
      inTurn(async () => {
        begun.push(n)
        await gate.promise
        return n
      }),
    )
    await nextTurn()
    expect(begun).toEqual([0, 1])
    gates[1]?.resolve()
    await nextTurn()
    expect(begun).toEqual([0, 1, 2])
    gates.forEach((gate) => gate.resolve())
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3])
  })

  it('gives the turn of one that failed to the next', async () => {
    const inTurn = createSemaphore(1)
    await expect(inTurn(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(await inTurn(async () => 'next')).toBe('next')
  })

  it('goes through a list in lanes: one bad item leaves no other undone, and is thrown at the end', async () => {
    const done: number[] = []
    let running = 0
    let most = 0
    const work = async (n: number): Promise<void> => {
      running += 1
      most = Math.max(most, running)
      await nextTurn()
      running -= 1
      if (n === 1) throw new Error('item 1')
      done.push(n)
    }
    await expect(forEachInLanes(3, [0, 1, 2, 3, 4, 5, 6], work)).rejects.toThrow('item 1')
    expect([done.sort(), most]).toEqual([[0, 2, 3, 4, 5, 6], 3])
    await forEachInLanes(3, [], work)
    expect(done).toHaveLength(6)
  })

  it('asks a store that is away once per lane, not once per item', async () => {
    let asked = 0
    const work = async (): Promise<void> => {
      asked += 1
      throw new Error('away')
    }
    await expect(forEachInLanes(2, [1, 2, 3, 4, 5], work)).rejects.toThrow('away')
    expect(asked).toBe(2)
  })
})
