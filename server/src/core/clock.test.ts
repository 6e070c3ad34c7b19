import { isClockSteady, takeClockStep } from './clock.ts'

const realNow = Date.now
afterEach(() => {
  Date.now = realNow
})

it('tells of a step once, also where somebody asked before whether the clock is steady [P21]', () => {
  expect([isClockSteady(), takeClockStep()]).toEqual([true, 0])
  Date.now = () => realNow() - 7_200_000
  expect(isClockSteady()).toBe(false)
  expect(Math.round(takeClockStep() / 1000)).toBe(-7200)
  expect(takeClockStep()).toBe(0)
  expect(isClockSteady()).toBe(false)
})
