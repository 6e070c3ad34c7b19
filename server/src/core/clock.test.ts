import type * as Clock from './clock.ts'

const realNow = Date.now
afterEach(() => {
  Date.now = realNow
})

/**
 * Times that steps are told for are this test's: a machine may really step or sleep while tests run. So is the clock,
 * because others of the process have loaded theirs before.
 */
async function openClock(): Promise<typeof Clock> {
  const began = realNow()
  Date.now = () => began + performance.now()
  const own: string = `./clock.ts?of=${began}`
  return (await import(own)) as typeof Clock
}

it('tells of a step once, also where somebody asked before whether the clock is steady [P21]', async () => {
  const { isClockSteady, takeClockStep } = await openClock()
  expect([isClockSteady(), takeClockStep()]).toEqual([true, 0])
  const steady = Date.now
  Date.now = () => steady() - 7_200_000
  expect(isClockSteady()).toBe(false)
  expect(Math.round(takeClockStep() / 1000)).toBe(-7200)
  expect(takeClockStep()).toBe(0)
  expect(isClockSteady()).toBe(false)
})
