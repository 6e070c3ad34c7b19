import { BoundedMap } from './BoundedMap.ts'

describe('a bounded map', () => {
  it('displaces the oldest key when it is full', () => {
    const map = new BoundedMap<string, number>(2)
    map.set('a', 1)
    map.set('b', 2)
    map.set('c', 3)
    expect([map.size, map.has('a'), map.get('b'), map.get('c')]).toEqual([2, false, 2, 3])
  })

  it('counts a key as new when it is set again', () => {
    const map = new BoundedMap<string, number>(2)
    map.set('a', 1)
    map.set('b', 2)
    map.set('a', 3)
    map.set('c', 4)
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4])
  })
})
