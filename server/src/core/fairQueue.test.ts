import { FairQueue } from './fairQueue.ts'

const limits = { perPerson: 3, perOrganization: 4, inAll: 6 }
const owner = (organizationId: string, userId: string) => ({ organizationId, userId })
const takeAllInTurn = (queue: FairQueue<string>): string[] => {
  const taken: string[] = []
  for (let item = queue.take(() => true); item !== undefined; item = queue.take(() => true)) taken.push(item)
  return taken
}

describe('work that waits', () => {
  it('is taken from each organization in turn, and within it from each person in turn [P18]', () => {
    const queue = new FairQueue<string>(limits)
    for (const item of ['a1', 'a2', 'a3']) queue.add(owner('north', 'ann'), item)
    queue.add(owner('north', 'bob'), 'b1')
    queue.add(owner('south', 'cat'), 'c1')
    queue.add(owner('south', 'cat'), 'c2')
    expect(takeAllInTurn(queue)).toEqual(['a1', 'c1', 'b1', 'c2', 'a2', 'a3'])
  })

  it('is passed over while it may not be taken, without losing its turn', () => {
    const queue = new FairQueue<string>(limits)
    queue.add(owner('north', 'ann'), 'large')
    queue.add(owner('south', 'cat'), 'small')
    expect(queue.take((item) => item !== 'large')).toBe('small')
    expect(queue.take((item) => item !== 'large')).toBeUndefined()
    expect(queue.take(() => true)).toBe('large')
  })

  it('has an end for each person, each organization and in all, and room again when something left [P18]', () => {
    const queue = new FairQueue<string>({ perPerson: 3, perOrganization: 4, inAll: 6 })
    const add = (organizationId: string, userId: string) => queue.add(owner(organizationId, userId), userId)
    expect([1, 2, 3, 4].map(() => add('north', 'ann'))).toEqual([undefined, undefined, undefined, 'perPerson'])
    expect([1, 2, 3].map(() => add('north', 'bob'))).toEqual([undefined, undefined, 'perOrganization'])
    expect([1, 2, 3].map(() => add('south', 'cat'))).toEqual([undefined, undefined, undefined])
    expect(add('south', 'dan')).toBe('inAll')
    expect(queue.takeAll((item) => item === 'ann')).toHaveLength(3)
    expect([add('south', 'dan'), add('north', 'ann')]).toEqual([undefined, undefined])
  })

  it('keeps nobody out whose colleagues, and no organization of which others, filled the line [P18]', () => {
    const queue = new FairQueue<string>({ perPerson: 9, perOrganization: 6, inAll: 12 })
    const add = (organizationId: string, userId: string) => queue.add(owner(organizationId, userId), userId)
    const fill = (organizationId: string, userId: string): number => {
      let taken = 0
      while (taken < 100 && add(organizationId, userId) === undefined) taken += 1
      return taken
    }
    expect([fill('north', 'ann'), fill('north', 'bob'), fill('north', 'cat')]).toEqual([6, 3, 2])
    expect([fill('south', 'sue'), fill('west', 'wim')]).toEqual([6, 4])
    expect([add('north', 'ann'), add('west', 'wim'), add('west', 'wes')]).toEqual(['perOrganization', 'inAll', 'inAll'])
  })

  it('has nothing for anybody any more once twice as much waits as may [P18]', () => {
    const ofOne = new FairQueue<string>({ perPerson: 9, perOrganization: 2, inAll: 99 })
    const people = ['ann', 'bob', 'cat', 'dan', 'eve'].map((userId) => ofOne.add(owner('north', userId), userId))
    expect(people).toEqual([...Array<undefined>(4).fill(undefined), 'perOrganization'])
    const ofAll = new FairQueue<string>({ perPerson: 9, perOrganization: 9, inAll: 2 })
    const add = (organizationId: string) => ofAll.add(owner(organizationId, 'sue'), organizationId)
    expect(['north', 'south', 'west', 'east', 'middle'].map(add)).toEqual([
      ...Array<undefined>(4).fill(undefined),
      'inAll',
    ])
    expect([ofAll.size, takeAllInTurn(ofAll).length, ofAll.size, add('middle')]).toEqual([4, 4, 0, undefined])
  })
})
