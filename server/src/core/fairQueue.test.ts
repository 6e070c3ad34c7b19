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
    const queue = new FairQueue<string>(limits)
    const add = (organizationId: string, userId: string) => queue.add(owner(organizationId, userId), userId)
    expect([1, 2, 3, 4].map(() => add('north', 'ann'))).toEqual([undefined, undefined, undefined, 'perPerson'])
    expect([add('north', 'bob'), add('north', 'bob')]).toEqual([undefined, 'perOrganization'])
    expect([add('south', 'cat'), add('south', 'cat'), add('south', 'cat')]).toEqual([undefined, undefined, 'inAll'])
    expect(queue.takeAll((item) => item === 'ann')).toHaveLength(3)
    expect([add('south', 'cat'), add('north', 'ann')]).toEqual([undefined, undefined])
  })

  it('leaves room for a person, and for an organization, with nothing waiting when others have filled it [P18]', () => {
    const queue = new FairQueue<string>({ perPerson: 4, perOrganization: 4, inAll: 8 })
    const add = (organizationId: string, userId: string) => queue.add(owner(organizationId, userId), userId)
    for (let n = 0; n < 4; n += 1) add('north', 'ann')
    expect([add('north', 'bob'), add('north', 'bob'), add('north', 'cat')]).toEqual([
      undefined,
      'perOrganization',
      'perOrganization',
    ])
    for (let n = 0; n < 3; n += 1) add('south', 'sue')
    expect([add('south', 'sue'), add('east', 'eve'), add('east', 'eve')]).toEqual(['inAll', undefined, 'inAll'])
  })
})
