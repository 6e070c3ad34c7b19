import { aUser } from '@dmp/contract/examples'
import { signInAs } from '@dmp/kit/testing'
import { session, type Search } from '@dmp/kit'
import { askSources, type SourceAnswer } from './askSources.ts'
import type { Source } from './sources.ts'

const source = (id: string, search: Search): Source => ({
  id,
  title: id,
  needs: 'session',
  part: `${id}@0`,
  load: async () => search,
  forget: () => undefined,
})

afterEach(() => jest.useRealTimers())

it('gives a search up that does not answer, and holds nobody else up', async () => {
  jest.useFakeTimers()
  signInAs('staff')
  const user = session.get().user!
  expect(user.email).toBe(aUser('staff').email)
  const answers: Record<string, SourceAnswer> = {}
  const stop = askSources({
    term: 'anna',
    user,
    sources: [
      source('slow', () => new Promise(() => undefined)),
      source('quick', async () => [{ to: '/a', text: 'Anna' }]),
    ],
    onAnswer: ({ id }, answer) => (answers[id] = answer),
  })
  await jest.advanceTimersByTimeAsync(100)
  expect(Object.keys(answers)).toEqual(['quick'])
  await jest.advanceTimersByTimeAsync(8000)
  expect(answers['slow']).toEqual({ items: [], failure: 'It took too long.' })
  stop()
})

it('answers nothing any more once the question is taken back', async () => {
  signInAs('staff')
  const onAnswer = jest.fn()
  const answered = Promise.resolve([{ to: '/a', text: 'Anna' }])
  const stop = askSources({
    term: 'anna',
    user: session.get().user!,
    sources: [source('quick', () => answered)],
    onAnswer,
  })
  stop()
  await answered
  await new Promise((resolve) => setTimeout(resolve))
  expect(onAnswer).not.toHaveBeenCalled()
})
