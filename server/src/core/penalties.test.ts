import { penaltyPoints, Penalties } from './penalties.ts'

const ann = { userId: 'ann', organizationId: 'north' }
const address = '10.0.0.1'
const mayCall = (penalties: Penalties, who = ann, from = address, isUpload = false): Promise<boolean> =>
  penalties.admit(who, from, isUpload).then(
    () => true,
    () => false,
  )
const times = (count: number, act: () => void): void => Array.from({ length: count }).forEach(act)

describe('penalties', () => {
  it('make a person wait who goes on, for so long as it takes to lose the points, and nobody else [P18]', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0)
    const penalties = new Penalties(1, 0)
    times(12, () => penalties.charge(ann, address, penaltyPoints.brokenOff))
    expect(await mayCall(penalties)).toBe(true)
    times(4, () => penalties.charge(ann, address, penaltyPoints.brokenOff))
    await expect(penalties.admit(ann, address, false)).rejects.toMatchObject({ status: 429, retryAfter: 10 })
    expect(await mayCall(penalties, { ...ann, userId: 'bob' })).toBe(true)
    clock.mockReturnValue(10_500)
    expect(await mayCall(penalties)).toBe(true)
    clock.mockRestore()
  })

  it('of many people count together, for those who take part [P18]', async () => {
    const penalties = new Penalties(1, 0)
    const crowd = Array.from({ length: 13 }, (_, n) => ({ userId: `colleague ${n}`, organizationId: 'north' }))
    for (const who of crowd) times(20, () => penalties.charge(who, address, penaltyPoints.refused))
    expect(await mayCall(penalties, crowd[0])).toBe(false)
    expect(await mayCall(penalties)).toBe(true)
    expect(await mayCall(penalties, { userId: 'sue', organizationId: 'south' })).toBe(true)
  })

  it('count uploads under way of somebody whose uploads break off, and of nobody else [P18]', async () => {
    const penalties = new Penalties(1, 0)
    const ends = Array.from({ length: 40 }, () => penalties.beginUpload(ann))
    expect(await mayCall(penalties, ann, address, true)).toBe(true)
    times(4, () => penalties.charge(ann, address, penaltyPoints.brokenOff))
    expect(await mayCall(penalties, ann, address, true)).toBe(false)
    expect(await mayCall(penalties)).toBe(true)
    for (const end of ends) end()
    expect(await mayCall(penalties, ann, address, true)).toBe(true)
  })

  it('hold a refusal back for a moment, and those of a flood not at all [P18]', async () => {
    jest.useFakeTimers({ now: 0 })
    const penalties = new Penalties(1, 1000)
    times(20, () => penalties.charge(ann, address, penaltyPoints.brokenOff))
    let refused = 0
    const call = () => void mayCall(penalties).then((may) => (refused += may ? 0 : 1))
    const after = async (ms: number) => {
      await jest.advanceTimersByTimeAsync(ms)
      return refused
    }
    times(1024, call)
    expect([await after(999), await after(1)]).toEqual([0, 1024])
    // There is room again for as many, and for no more.
    times(1025, call)
    expect([await after(0), await after(1000)]).toEqual([1025, 2049])
    jest.useRealTimers()
  })

  it('leave somebody alone who has a quarter of what is too much, whatever the others do [P18]', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0)
    const penalties = new Penalties(1, 0)
    times(300, () => penalties.charge({ ...ann, userId: 'bob' }, address, penaltyPoints.refused))
    times(15, () => penalties.charge(ann, address, penaltyPoints.refused))
    expect(await mayCall(penalties)).toBe(true)
    penalties.charge(ann, address, penaltyPoints.refused)
    expect(await mayCall(penalties)).toBe(false)
    clock.mockRestore()
  })
})
