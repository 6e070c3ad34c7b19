import { Refusal } from '../../http/refusal.ts'
import { guessesOf } from './guesses.ts'

it('lets fifty tries for the same account wait for each other, and no more [P04, P18]', async () => {
  // Nothing is asked of the database or the keys before a try is counted.
  const guesses = guessesOf({} as never, {} as never)
  let go = (): void => {}
  const gate = new Promise<void>((resolve) => { go = resolve })
  const enter = (key: string) => guesses.inTurn({ key, free: 5 }, () => gate)
  const waiting = Array.from({ length: 50 }, () => enter('one account'))
  await expect(enter('one account')).rejects.toThrow(Refusal)
  const other = enter('another account')
  go()
  await Promise.all([...waiting, other])
  await enter('one account')
})

it('counts for a try only those that failed while it waited [P04, P18]', async () => {
  const guesses = guessesOf({} as never, {} as never)
  const gate = Promise.withResolvers<void>()
  const wrong = async (): Promise<never> => Promise.reject(new Error('wrong'))
  const tries = Array.from({ length: 4 }, () => guesses.inTurn({ key: 'one account', free: 5 }, wrong))
  const held = guesses.inTurn({ key: 'one account', free: 5 }, () => gate.promise)
  for (const one of tries) await expect(one).rejects.toThrow('wrong')
  const late = guesses.inTurn({ key: 'one account', free: 5 }, async () => 'looked at')
  gate.resolve()
  await held
  expect(await late).toBe('looked at')
})
