import { ByteBudget } from './byteBudget.ts'

describe('the memory of responses', () => {
  it('is refused beyond what one person or all may have, and is there again afterwards [P18]', () => {
    const budget = new ByteBudget(100, 60)
    const ann = budget.reserve('ann', 40)
    expect(() => budget.reserve('ann', 30)).toThrow(expect.objectContaining({ status: 503, retryAfter: 2 }))
    const bob = budget.reserve('bob', 60)
    expect(() => budget.reserve('sue', 1)).toThrow(expect.objectContaining({ status: 503, retryAfter: 2 }))
    bob.release()
    budget.reserve('sue', 60).release()
    ann.release()
    // Releasing twice takes nothing from others.
    ann.release()
    expect(budget.bytes).toBe(0)
  })

  it('counts what turned out to be needed, and gives somebody without anything a turn', () => {
    const budget = new ByteBudget(100, 60)
    const large = budget.reserve('ann', 200)
    large.grow(50)
    expect(budget.bytes).toBe(250)
    expect(() => budget.reserve('bob', 1)).toThrow(expect.objectContaining({ status: 503 }))
    large.release()
    expect(budget.bytes).toBe(0)
  })
})
