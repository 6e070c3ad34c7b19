import { ByteBudget } from './byteBudget.ts'

const isRefused = expect.objectContaining({ status: 503, retryAfter: 2 }) as unknown

const ann = { customer: 'north', person: 'ann' }
const bob = { customer: 'south', person: 'bob' }
const sue = { customer: 'west', person: 'sue' }
const northerner = (number: number) => ({ customer: 'north', person: `colleague ${number}` })

describe('the memory of responses', () => {
  it('is refused beyond what one person or all may have, and is there again afterwards [P18]', async () => {
    const budget = new ByteBudget(100, 60, 5)
    const anns = await budget.reserve(ann, 40)
    await expect(budget.reserve(ann, 30)).rejects.toEqual(isRefused)
    const bobs = await budget.reserve(bob, 80)
    await expect(budget.reserve(sue, 10)).rejects.toEqual(isRefused)
    bobs.release()
    ;(await budget.reserve(sue, 60)).release()
    anns.release()
    // Releasing twice takes nothing from others.
    anns.release()
    expect(budget.bytes).toBe(0)
  })

  it('counts what turned out to be needed, and gives somebody without anything a turn', async () => {
    const budget = new ByteBudget(100, 60, 5)
    const large = await budget.reserve(ann, 200)
    await large.resize(250)
    expect(budget.bytes).toBe(250)
    await expect(budget.reserve(bob, 1)).rejects.toEqual(isRefused)
    large.release()
    expect(budget.bytes).toBe(0)
  })

  it('is waited for: many small readings of one person all come, and nobody waits behind them [P18]', async () => {
    const budget = new ByteBudget(1000, 60)
    const first = await Promise.all(Array.from({ length: 6 }, () => budget.reserve(ann, 10)))
    const order: string[] = []
    const later = Array.from({ length: 24 }, async (_, index) => {
      const reservation = await budget.reserve(ann, 10)
      order.push(`ann ${index}`)
      expect(budget.bytes).toBeLessThanOrEqual(70)
      reservation.release()
    })
    const bobs = await budget.reserve(bob, 10)
    expect(order).toEqual([])
    first.forEach((reservation) => reservation.release())
    await Promise.all(later)
    bobs.release()
    expect(order).toEqual(Array.from({ length: 24 }, (_, index) => `ann ${index}`))
    expect(budget.bytes).toBe(0)
  })

  it('lets so many of one person wait, and no more', async () => {
    const budget = new ByteBudget(100, 60, 50)
    const anns = await budget.reserve(ann, 60)
    const waiting = Array.from({ length: 128 }, () => budget.reserve(ann, 10))
    const outcomes = Promise.allSettled(waiting)
    let isLate = false
    void outcomes.then(() => (isLate = true))
    await expect(budget.reserve(ann, 10)).rejects.toEqual(isRefused)
    expect(isLate).toBe(false)
    expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(['rejected']))
    anns.release()
    expect(budget.bytes).toBe(0)
  })

  it('is half at most for one organization, however many people it sends, and others are served [P18]', async () => {
    const budget = new ByteBudget(160, 40, 5)
    const people = [1, 2].map(northerner)
    const full = await Promise.all(people.flatMap((person) => [budget.reserve(person, 20), budget.reserve(person, 20)]))
    expect(budget.bytes).toBe(80)
    // A colleague who has nothing gets a turn, as long as there is a little beyond the share.
    const colleague = await budget.reserve(northerner(3), 10)
    await expect(budget.reserve(northerner(3), 1)).rejects.toEqual(isRefused)
    await expect(budget.reserve(northerner(4), 10)).rejects.toEqual(isRefused)
    const bobs = await Promise.all([budget.reserve(bob, 20), budget.reserve(bob, 20)])
    for (const reservation of [...full, colleague, ...bobs]) reservation.release()
    expect(budget.bytes).toBe(0)
  })

  it('has a little beyond a full budget for those who have nothing, and has an end [P18]', async () => {
    const budget = new ByteBudget(80, 40, 5)
    const [north, south] = [await budget.reserve(ann, 40), await budget.reserve(bob, 40)]
    const first = await budget.reserve(sue, 10)
    await expect(budget.reserve(sue, 10)).rejects.toEqual(isRefused)
    const second = await budget.reserve({ customer: 'east', person: 'eve' }, 10)
    await expect(budget.reserve({ customer: 'far', person: 'fay' }, 10)).rejects.toEqual(isRefused)
    expect(budget.bytes).toBe(100)
    for (const reservation of [north, south, first, second]) reservation.release()
  })

  it('goes first to the organization and the person who have the least [P18]', async () => {
    const budget = new ByteBudget(100, 100)
    const anns = [await budget.reserve(ann, 20), await budget.reserve(ann, 20)]
    const sues = [await budget.reserve(sue, 20), await budget.reserve(sue, 20)]
    const bobs = await budget.reserve(bob, 20)
    const order: string[] = []
    const wait = async (turn: typeof ann) => {
      const reservation = await budget.reserve(turn, 20)
      order.push(turn.person)
      return reservation
    }
    const waiting = [wait(ann), wait(bob)]
    sues[0]?.release()
    expect((await waiting[1]) !== undefined && order).toEqual(['bob'])
    sues[1]?.release()
    for (const reservation of [...anns, bobs]) reservation.release()
    for (const reservation of await Promise.all(waiting)) reservation.release()
    expect([order, budget.bytes]).toEqual([['bob', 'ann'], 0])
  })

  it('is waited for when more is needed, without standing still, and not kept by those who left', async () => {
    const budget = new ByteBudget(200, 60)
    const [one, other] = [await budget.reserve(ann, 30), await budget.reserve(ann, 30)]
    // Each gives back what it has before it waits: the other could never have more otherwise.
    const done: string[] = []
    const larger = [one.resize(60).then(() => done.push('one')), other.resize(60).then(() => done.push('other'))]
    expect(budget.bytes).toBe(60)
    await larger[0]
    await new Promise(setImmediate)
    expect(done).toEqual(['one'])
    one.release()
    await larger[1]
    other.release()
    expect(budget.bytes).toBe(0)
    const bobs = await budget.reserve(bob, 60)
    const left = await budget.reserve(bob, 0)
    const late = left.resize(10)
    left.release()
    bobs.release()
    await late
    expect(budget.bytes).toBe(0)
  })
})
