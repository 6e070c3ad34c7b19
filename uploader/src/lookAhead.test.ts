import { lookAhead } from './lookAhead.ts'

async function* numbers(count: number, onAsked: (number: number) => void = () => undefined) {
  for (let number = 0; number < count; number += 1) {
    onAsked(number)
    yield number
  }
}
async function taken(all: AsyncIterable<number>): Promise<number[]> {
  const found: number[] = []
  for await (const each of all) found.push(each)
  return found
}

it.each([0, 1, 999, 1000, 1001, 2500])('gives each of %i once and in their order, however many wait', async (count) => {
  const onEnd = jest.fn()
  const all = lookAhead(numbers(count), onEnd)
  const expected = Array.from({ length: count }, (_, at) => at)
  expect([await taken(all), onEnd.mock.calls.length]).toEqual([expected, 1])
})

it('looks to the end without waiting for who takes it, also where it is slower than who takes it', async () => {
  let looked = 0
  const onEnd = jest.fn()
  const fast = lookAhead(
    numbers(2500, () => (looked += 1)),
    onEnd,
  )
  expect((await fast.next()).value).toBe(0)
  for (let turns = 0; onEnd.mock.calls.length === 0 && turns < 50; turns += 1) await new Promise(setImmediate)
  expect([looked, onEnd.mock.calls.length]).toEqual([2500, 1])
  expect(await taken(fast)).toHaveLength(2499)
  async function* slow() {
    for (const each of [1, 2, 3]) {
      await new Promise(setImmediate)
      yield each
    }
  }
  expect(await taken(lookAhead(slow(), () => undefined))).toEqual([1, 2, 3])
})

it('ends the look where nobody takes any more', async () => {
  let looked = 0
  const onEnd = jest.fn()
  async function* endless() {
    for (;;) {
      looked += 1
      await new Promise(setImmediate)
      yield looked
    }
  }
  const all = lookAhead(endless(), onEnd)
  await all.next()
  await all.return()
  const before = looked
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect([looked, onEnd.mock.calls.length]).toEqual([before, 1])
})

it('gives what was found before a failure, and then the failure', async () => {
  async function* broken() {
    yield 1
    throw new Error('The disk is gone.')
  }
  const all = lookAhead(broken(), () => undefined)
  expect((await all.next()).value).toBe(1)
  await expect(all.next()).rejects.toThrow('The disk is gone.')
})
