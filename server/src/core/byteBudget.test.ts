import { ByteBudget } from './byteBudget.ts'

const isRefused = expect.objectContaining({ status: 503, retryAfter: 2 }) as unknown

describe('the memory of responses', () => {
  it('is refused beyond what one person or all may have, and is there again afterwards [P18]', async () => {
    const budget = new ByteBudget(100, 60, 5)
    const ann = await budget.reserve('ann', 40)
    await expect(budget.reserve('ann', 30)).rejects.toEqual(isRefused)
    const bob = await budget.reserve('bob', 60)
    await expect(budget.reserve('sue', 1)).rejects.toEqual(isRefused)
    bob.release()
    ;(await budget.reserve('sue', 60)).release()
    ann.release()
    // Releasing twice takes nothing from others.
    ann.release()
    expect(budget.bytes).toBe(0)
  })

  it('counts what turned out to be needed, and gives somebody without anything a turn', async () => {
    const budget = new ByteBudget(100, 60, 5)
    const large = await budget.reserve('ann', 200)
    large.grow(50)
    expect(budget.bytes).toBe(250)
    await expect(budget.reserve('bob', 1)).rejects.toEqual(isRefused)
    large.release()
    expect(budget.bytes).toBe(0)
  })

  it('is waited for: many small readings of one person all come, and nobody waits behind them [P18]', async () => {
    const budget = new ByteBudget(1000, 60)
    const first = await Promise.all(Array.from({ length: 6 }, () => budget.reserve('ann', 10)))
    const order: string[] = []
    const later = Array.from({ length: 24 }, async (_, index) => {
      const reservation = await budget.reserve('ann', 10)
      order.push(`ann ${index}`)
      expect(budget.bytes).toBeLessThanOrEqual(70)
      reservation.release()
    })
    const bob = await budget.reserve('bob', 10)
    expect(order).toEqual([])
    first.forEach((reservation) => reservation.release())
    await Promise.all(later)
    bob.release()
    expect(order).toEqual(Array.from({ length: 24 }, (_, index) => `ann ${index}`))
    expect(budget.bytes).toBe(0)
  })

  it('lets so many of one person wait, and no more', async () => {
    const budget = new ByteBudget(100, 60, 50)
    const ann = await budget.reserve('ann', 60)
    const waiting = Array.from({ length: 128 }, () => budget.reserve('ann', 10))
    const outcomes = Promise.allSettled(waiting)
    let isLate = false
    void outcomes.then(() => (isLate = true))
    await expect(budget.reserve('ann', 10)).rejects.toEqual(isRefused)
    expect(isLate).toBe(false)
    expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(['rejected']))
    ann.release()
    expect(budget.bytes).toBe(0)
  })
})
