import { runLanes } from './lanes.ts'
import type { Stage } from './stages.ts'

const count = async () => ({ passed: 1, failed: 0 })
const stage = (name: string, lane: NonNullable<Stage['lane']>): Stage => ({ name, lane, count })
const stages = [
  stage('faults', 'machine'),
  stage('screens', 'jest'),
  stage('journeys', 'journeys'),
  stage('server', 'jest'),
  stage('weight', 'journeys'),
]
const database = stage('PostgreSQL', 'database')

/** Notes what begins and ends; each stage ends when told to. */
function watch(
  lanesAtOnce: number,
  build = async () => undefined,
  watchRoom?: (begin: () => void) => () => void,
  tried: readonly Stage[] = stages,
) {
  const told: string[] = []
  const ends = new Map<string, () => void>()
  const all = runLanes(tried, {
    lanesAtOnce,
    build,
    ...(watchRoom && { watchRoom }),
    run: async ({ name }) => {
      told.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
    },
  })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const end = async (name: string) => {
    ends.get(name)?.()
    await settle()
  }
  return { all, told, end, settle }
}

describe('the lanes of a run', () => {
  it('go beside each other, each stage after the one before it in its lane, no more at once than said', async () => {
    const { all, told, end, settle } = watch(2)
    await settle()
    expect(told).toEqual(['screens', 'journeys'])
    await end('screens')
    expect(told).toEqual(['screens', 'journeys', 'server'])
    await end('journeys')
    await end('weight')
    expect(told).toEqual(['screens', 'journeys', 'server', 'weight', 'faults'])
    await end('server')
    await end('faults')
    await all
  })

  it('are joined by one more while there is room, and by no second one', async () => {
    let begin = () => undefined as void
    const stopped = jest.fn()
    const room = (one: () => void) => ((begin = one), stopped)
    const { all, told, end, settle } = watch(1, undefined, room, [...stages, database])
    await settle()
    expect(told).toEqual(['screens'])
    begin()
    begin()
    await settle()
    expect(told).toEqual(['screens', 'journeys'])
    await end('journeys')
    // The lane beside goes on to its end, and leaves what is not begun to the others.
    expect(told).toEqual(['screens', 'journeys', 'weight'])
    await end('weight')
    expect(told).toEqual(['screens', 'journeys', 'weight'])
    begin()
    await settle()
    expect(told.slice(3)).toEqual(['faults'])
    await end('screens')
    await end('server')
    await end('PostgreSQL')
    expect(stopped).toHaveBeenCalledTimes(1)
    let isOver = false
    void all.then(() => (isOver = true))
    await settle()
    expect(isOver).toBe(false)
    await end('faults')
    await all
  })

  it('wait until what they need is built, but for those of Jest, also where it cannot be built', async () => {
    let fail: (error: Error) => void = () => undefined
    const { all, told, end, settle } = watch(3, () => new Promise((_resolve, reject) => (fail = reject)))
    await settle()
    expect(told).toEqual(['screens'])
    fail(new Error('A part does not compile.'))
    await settle()
    expect(told).toEqual(['screens', 'journeys', 'faults'])
    for (const name of ['screens', 'journeys', 'faults', 'server', 'weight']) await end(name)
    await all
  })

  it('build nothing for Jest alone', async () => {
    const build = jest.fn(async () => undefined)
    await runLanes([stage('screens', 'jest'), database], { run: async () => undefined, build, lanesAtOnce: 2 })
    expect(build).not.toHaveBeenCalled()
  })
})
