import { onFirstUse } from './onFirstUse.ts'

it('makes a value when it is asked for, once, also one that is undefined', () => {
  const make = jest.fn(() => undefined)
  const value = onFirstUse(make)
  expect(make).not.toHaveBeenCalled()

  expect([value(), value()]).toEqual([undefined, undefined])
  expect(make).toHaveBeenCalledTimes(1)
})
