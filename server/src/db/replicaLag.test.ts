import { ReplicaLag, parsePosition } from './replicaLag.ts'

describe('how far behind a replica is', () => {
  it('is the time since writing had come as far as it has by now [P94]', () => {
    const lag = new ReplicaLag()
    lag.add(100, 1000)
    lag.add(200, 2000)
    lag.add(300, 3000)
    expect([300, 250, 199, 100].map((position) => lag.of(position, 3500))).toEqual([0, 1500, 2500, 2500])
  })

  it('is nothing while nobody writes, however long [P94]', () => {
    const lag = new ReplicaLag()
    for (let ms = 0; ms < 500_000; ms += 1000) lag.add(100, ms)
    expect(lag.of(100, 500_000)).toBe(0)
  })

  it('is without end for one that is behind everything that was seen, or of which nothing was seen yet [P94]', () => {
    const lag = new ReplicaLag()
    expect(lag.of(100, 0)).toBe(Infinity)
    for (let position = 1; position <= 1000; position += 1) lag.add(position, position)
    expect(lag.of(500, 1000)).toBe(Infinity)
  })

  it('is told by positions that go past 32 bits [P94]', () => {
    expect(parsePosition('16/B374D848')).toBe(0x16b374d848)
    expect(parsePosition('1/0') - parsePosition('0/FFFFFFFF')).toBe(1)
  })
})
