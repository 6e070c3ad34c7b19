import { FairTurns, type Turn } from './fairTurns.ts'

const limits = { atOnce: 2, perCustomer: 2, perPerson: 1, waitingPerPerson: 5 }
const north = (person: string): Turn => ({ customer: 'north', person })
const south: Turn = { customer: 'south', person: 'sue' }

/** Pieces of work that end when they are told to, and the order in which they began. */
function createWork(turns: FairTurns) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    add: (name: string, turn: Turn) =>
      turns.run(turn, () => {
        begun.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      }),
    end: async (name: string) => {
      ends.get(name)?.()
      await new Promise((settled) => setImmediate(settled))
    },
  }
}
const settled = () => new Promise((done) => setImmediate(done))

describe('turns', () => {
  it('go round customers and people: nobody waits behind all that another one asked for [P18]', async () => {
    const { add, begun, end } = createWork(new FairTurns(limits))
    for (const name of ['a1', 'a2', 'a3']) void add(name, north('ann'))
    void add('b1', north('bob'))
    void add('s1', south)
    await settled()
    // One at a time of each person, and bob asked before sue.
    expect(begun).toEqual(['a1', 'b1'])
    await end('a1')
    await end('b1')
    expect(begun).toEqual(['a1', 'b1', 'a2', 's1'])
  })

  it('of a person are fewer while others are there, and a moment after, and none are lost [P18]', async () => {
    jest.spyOn(performance, 'now').mockReturnValue(5_000)
    const { add, begun, end } = createWork(
      new FairTurns({ ...limits, atOnce: 9, perCustomer: 4, perPerson: 3, perPersonBesideOthers: 1 }),
    )
    void add('s1', south)
    for (const name of ['a1', 'a2', 'a3', 'a4']) void add(name, north('ann'))
    await settled()
    expect(begun).toEqual(['s1', 'a1'])
    await end('s1')
    await end('a1')
    expect(begun).toEqual(['s1', 'a1', 'a2'])
    jest.spyOn(performance, 'now').mockReturnValue(6_001)
    await end('a2')
    expect(begun).toEqual(['s1', 'a1', 'a2', 'a3', 'a4'])
    jest.restoreAllMocks()
  })

  it('are refused to a person with too much waiting, and to no other [P18]', async () => {
    const { add, begun, end } = createWork(new FairTurns({ ...limits, atOnce: 1 }))
    void add('a0', north('ann'))
    for (let index = 1; index <= limits.waitingPerPerson; index += 1) void add(`a${index}`, north('ann'))
    await expect(add('a9', north('ann'))).rejects.toMatchObject({ status: 503, retryAfter: 5 })
    void add('s1', south)
    await end('a0')
    await end('a1')
    expect(begun).toEqual(['a0', 'a1', 's1'])
  })

  it('are free for others while the work waits for something else, and are waited for again [P18]', async () => {
    const turns = new FairTurns({ ...limits, atOnce: 1 })
    const { begun, add, end } = createWork(turns)
    const [gate, went] = [Promise.withResolvers<void>(), [] as string[]]
    const stepping = turns.run(north('ann'), async (stepAside) => {
      await stepAside(() => gate.promise)
      went.push('on')
    })
    void add('s1', south)
    await settled()
    expect(begun).toEqual(['s1'])
    gate.resolve()
    await settled()
    expect(went).toEqual([])
    await end('s1')
    await stepping
    expect(went).toEqual(['on'])
  })

  it('are not lost when the work fails before that comes back', async () => {
    const turns = new FairTurns({ ...limits, atOnce: 1 })
    const gate = Promise.withResolvers<void>()
    const failing = turns.run(north('ann'), (stepAside) => {
      void stepAside(() => gate.promise)
      return Promise.reject(new Error('broken'))
    })
    await expect(failing).rejects.toThrow('broken')
    gate.resolve()
    await settled()
    await expect(turns.run(south, async () => 'next')).resolves.toBe('next')
  })

  it('go on after work that failed', async () => {
    const turns = new FairTurns({ ...limits, atOnce: 1 })
    await expect(turns.run(south, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    await expect(turns.run(south, async () => 'next')).resolves.toBe('next')
  })
})
