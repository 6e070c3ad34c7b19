import { answerAtFixedSteps, refuseAtFixedSteps, stepMs } from './fixedSteps.ts'

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] })
})
afterEach(() => {
  jest.useRealTimers()
})

/** When something that takes so long is answered, and with what. */
async function answered(
  hold: typeof answerAtFixedSteps,
  takes: number,
  fails: boolean,
): Promise<{ after: number; said: string }> {
  const began = performance.now()
  const asked = hold(async () => {
    await new Promise((over) => setTimeout(over, takes))
    if (fails) throw new Error('refused')
    return 'done'
  }).catch((error: Error) => error.message)
  const seen = asked.then((said) => ({ after: performance.now() - began, said }))
  for (let ms = 0; ms < 4 * stepMs; ms += 1) {
    await jest.advanceTimersByTimeAsync(1)
    await new Promise((turn) => setImmediate(turn))
  }
  return seen
}

describe('an answer in step', () => {
  it.each([
    [3, 1],
    [stepMs - 1, 1],
    [stepMs + 1, 2],
    [3 * stepMs - 20, 3],
  ])('comes at a whole step however long the work took: %i ms [P07]', async (takes, steps) => {
    expect(await answered(answerAtFixedSteps, takes, false)).toEqual({ after: steps * stepMs, said: 'done' })
    expect(await answered(answerAtFixedSteps, takes, true)).toEqual({ after: steps * stepMs, said: 'refused' })
    expect(await answered(refuseAtFixedSteps, takes, true)).toEqual({ after: steps * stepMs, said: 'refused' })
  })

  it('lets somebody in at once where only refusals are held [P07]', async () => {
    expect(await answered(refuseAtFixedSteps, 3, false)).toEqual({ after: 3, said: 'done' })
  })
})
