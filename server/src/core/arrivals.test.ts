import { Arrivals } from './arrivals.ts'
import type { Turn } from './fairTurns.ts'

const ann: Turn = { customer: 'north', person: 'ann' }
const sue: Turn = { customer: 'south', person: 'sue' }
const pieces = (count: number): AsyncGenerator<Uint8Array> =>
  (async function* () {
    for (let nth = 0; nth < count; nth += 1) yield Buffer.from([nth])
  })()

/** Reads to the end, and writes down whose piece it was between which two events. */
async function read(name: string, content: AsyncIterable<Uint8Array>, seen: string[]): Promise<number[]> {
  const bytes: number[] = []
  for await (const [byte = -1] of content) {
    seen.push(name)
    bytes.push(byte)
  }
  return bytes
}

/** What came to pass between two events of the loop, for so many of them. */
async function watch(seen: string[], rounds: number): Promise<string[][]> {
  const found: string[][] = []
  for (let round = 0; round < rounds; round += 1) {
    await new Promise((next) => setImmediate(next))
    found.push(seen.splice(0))
  }
  return found
}

describe('bytes that arrive', () => {
  it('over eight lines of a person are taken one piece at a time between two events, and all of them [P18]', async () => {
    const arrivals = new Arrivals()
    const seen: string[] = []
    const flood = Array.from({ length: 8 }, () => read('ann', arrivals.inTurns(ann, pieces(6)), seen))
    const rounds = await watch(seen, 60)
    expect(Math.max(...rounds.map((round) => round.length))).toBe(1)
    expect(await Promise.all(flood)).toEqual(Array(8).fill([0, 1, 2, 3, 4, 5]))
  })

  it('of somebody else are taken in the same rounds as if nobody else sent any [P18]', async () => {
    const arrivals = new Arrivals()
    const seen: string[] = []
    const flood = Array.from({ length: 8 }, () => read('ann', arrivals.inTurns(ann, pieces(20)), seen))
    await watch(seen, 3)
    const other = read('sue', arrivals.inTurns(sue, pieces(4)), seen)
    const rounds = await watch(seen, 6)
    expect(rounds.filter((round) => round.includes('sue')).length).toBe(4)
    expect(await other).toEqual([0, 1, 2, 3])
    await Promise.all(flood)
  })

  it('of a line that breaks off leave no turn taken [P18]', async () => {
    const arrivals = new Arrivals()
    const broken = (async function* () {
      yield Buffer.from([0])
      throw new Error('The line broke.')
    })()
    const seen: string[] = []
    await expect(read('ann', arrivals.inTurns(ann, broken), seen)).rejects.toThrow('The line broke.')
    // A reader that has enough.
    for await (const _ of arrivals.inTurns(ann, pieces(3))) break
    expect(await read('ann', arrivals.inTurns(ann, pieces(3)), seen)).toEqual([0, 1, 2])
  })
})
