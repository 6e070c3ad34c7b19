import { AsyncLocalStorage } from 'node:async_hooks'
import { JoinedWork } from './joinedWork.ts'

/** Work that goes on when it is told to, and fails for what is named so. */
function gatedWork(most: number) {
  const rounds: (readonly string[])[] = []
  const gates: PromiseWithResolvers<void>[] = []
  const work = new JoinedWork<string, string>(
    most,
    ({ length }) => length,
    async (items) => {
      rounds.push(items)
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      await gate.promise
      return Promise.allSettled(
        items.map(async (item) => {
          if (item === 'bad') throw new Error(item)
          return `${item}!`
        }),
      )
    },
  )
  const next = async (): Promise<void> => {
    gates.shift()?.resolve()
    await new Promise((later) => setImmediate(later))
  }
  return { work, rounds, gates, next }
}

describe('work that is joined', () => {
  it('begins at once for who comes alone, and goes together for all who come meanwhile [P18]', async () => {
    const { work, rounds, next } = gatedWork(10)
    const results = ['a', 'b', 'c'].map((item) => work.add('one', item))
    expect(rounds).toEqual([['a']])
    await next()
    expect(rounds).toEqual([['a'], ['b', 'c']])
    await next()
    expect(await Promise.all(results)).toEqual(['a!', 'b!', 'c!'])
    const later = work.add('one', 'd')
    expect(rounds.at(-1)).toEqual(['d'])
    await next()
    expect(await later).toBe('d!')
  })

  it('takes no more together than fits, and one that is larger by itself [P18]', async () => {
    const { work, rounds, next } = gatedWork(4)
    const results = ['a', 'aa', 'bb', 'larger', 'c'].map((item) => work.add('one', item))
    for (let round = 0; round < 4; round += 1) await next()
    await Promise.all(results)
    expect(rounds).toEqual([['a'], ['aa', 'bb'], ['larger'], ['c']])
  })

  it('keeps keys apart, and lets one fail alone [P18]', async () => {
    const { work, rounds, next } = gatedWork(10)
    const results = [work.add('one', 'a'), work.add('two', 'b'), work.add('one', 'bad'), work.add('one', 'c')]
    const settled = Promise.allSettled(results)
    expect(rounds).toEqual([['a'], ['b']])
    for (let round = 0; round < 3; round += 1) await next()
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect(rounds).toEqual([['a'], ['b'], ['bad', 'c']])
  })

  it('fails for all of a round that throws, and goes on with the next [P21]', async () => {
    let rounds = 0
    const work = new JoinedWork<string, string>(
      1,
      () => 1,
      async (items) => {
        rounds += 1
        await new Promise((later) => setImmediate(later))
        if (rounds === 1) throw new Error('away')
        return items.map((value) => ({ status: 'fulfilled', value }))
      },
    )
    const results = await Promise.allSettled([work.add('one', 'a'), work.add('one', 'b')])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  })

  it('runs as the first of its round, whose turn it is [P18]', async () => {
    const person = new AsyncLocalStorage<string>()
    const asked: (string | undefined)[] = []
    const work = new JoinedWork<string, string>(
      1,
      () => 1,
      async (items) => {
        asked.push(person.getStore())
        await new Promise((later) => setImmediate(later))
        return items.map((value) => ({ status: 'fulfilled', value }))
      },
    )
    await Promise.all(['ann', 'bob'].map((name) => person.run(name, () => work.add('one', name))))
    expect(asked).toEqual(['ann', 'bob'])
  })
})
