import { Refusal } from '../../core/errors.ts'
import { createLoginThrottle } from './loginThrottle.ts'

it('lets fifty tries for the same account wait for each other, and no more [P04, P18]', async () => {
  // Nothing is asked of the database or the keys before a try is counted.
  const throttle = createLoginThrottle({} as never, {} as never)
  let go = (): void => {}
  const gate = new Promise<void>((resolve) => {
    go = resolve
  })
  const enter = (key: string) => throttle.inTurn({ key, free: 5 }, () => gate)
  const waiting = Array.from({ length: 50 }, () => enter('one account'))
  await expect(enter('one account')).rejects.toThrow(Refusal)
  const other = enter('another account')
  go()
  await Promise.all([...waiting, other])
  await enter('one account')
})

it('counts for a try only those that failed while it waited [P04, P18]', async () => {
  const throttle = createLoginThrottle({} as never, {} as never)
  const gate = Promise.withResolvers<void>()
  const wrong = async (): Promise<never> => Promise.reject(new Error('wrong'))
  const tries = Array.from({ length: 4 }, () => throttle.inTurn({ key: 'one account', free: 5 }, wrong))
  const held = throttle.inTurn({ key: 'one account', free: 5 }, () => gate.promise)
  for (const one of tries) await expect(one).rejects.toThrow('wrong')
  const late = throttle.inTurn({ key: 'one account', free: 5 }, async () => 'looked at')
  gate.resolve()
  await held
  expect(await late).toBe('looked at')
})

it('does not look at a try when the free ones before it failed while it waited [P04, P18]', async () => {
  const throttle = createLoginThrottle({} as never, {} as never)
  const looked: number[] = []
  const tries = Array.from({ length: 7 }, (_, number) =>
    throttle.inTurn({ key: 'one account', free: 5 }, async () => {
      looked.push(number)
      throw new Error('wrong')
    }),
  )
  const ends = await Promise.allSettled(tries)
  expect([looked, ends.map((end) => end.status === 'rejected' && (end.reason as Refusal).status)]).toEqual([
    [0, 1, 2, 3, 4],
    [undefined, undefined, undefined, undefined, undefined, 429, 429],
  ])
})

it('keeps the line when one of several leaves it [P04]', async () => {
  const throttle = createLoginThrottle({} as never, {} as never)
  const gate = Promise.withResolvers<void>()
  const enter = (work: () => Promise<unknown>) => throttle.inTurn({ key: 'one account', free: 5 }, work)
  const first = enter(async () => undefined)
  const held = enter(() => gate.promise)
  await first
  let isLookedAt = false
  const last = enter(async () => void (isLookedAt = true))
  await new Promise((later) => setImmediate(later))
  expect(isLookedAt).toBe(false)
  gate.resolve()
  await Promise.all([held, last])
  expect(isLookedAt).toBe(true)
})
