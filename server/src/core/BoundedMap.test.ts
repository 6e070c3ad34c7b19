import { BoundedMap } from './BoundedMap.ts'

const keysOf = <K>(map: BoundedMap<K, unknown>): K[] => [...map].map(([key]) => key)

describe('a map of bounded size', () => {
  it('forgets what was set longest ago, and nothing while there is room', () => {
    const map = new BoundedMap<string, number>(2)
    map.set('a', 1)
    map.set('b', 2)
    expect([keysOf(map), map.size]).toEqual([['a', 'b'], 2])
    map.set('c', 3)
    expect([keysOf(map), map.size, map.get('a'), map.get('c')]).toEqual([['b', 'c'], 2, undefined, 3])
  })

  it('takes a key that is set again for the newest, and one that is read for as old as it was', () => {
    const map = new BoundedMap<string, number>(2)
    map.set('a', 1)
    map.set('b', 2)
    map.set('a', 3)
    expect(map.get('b')).toBe(2)
    map.set('c', 4)
    expect([...map]).toEqual([
      ['a', 3],
      ['c', 4],
    ])
  })

  it('forgets an entry, or all of them, when it is told to', () => {
    const map = new BoundedMap<string, number>(3)
    for (const key of ['a', 'b', 'c']) map.set(key, 0)
    map.delete('b')
    expect(keysOf(map)).toEqual(['a', 'c'])
    for (const [key] of map) map.delete(key)
    expect(map.size).toBe(0)
    map.set('d', 0)
    map.clear()
    expect(keysOf(map)).toEqual([])
  })

  it('holds keys that are undefined or null like any other', () => {
    const map = new BoundedMap<unknown, number>(1)
    map.set(undefined, 1)
    map.set(null, 2)
    expect(keysOf(map)).toEqual([null])
  })
})
