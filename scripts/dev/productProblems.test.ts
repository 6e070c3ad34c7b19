import { ProductProblems } from './productProblems.ts'

it('tells open pages all that is wrong when that changes, and requests only what keeps them from an answer', () => {
  const problems = new ProductProblems()
  const told: (readonly string[])[] = []
  problems.onChange = (all) => told.push(all)
  problems.note('types', ['a type'])
  expect(problems.ofAnswers()).toBeUndefined()
  problems.note('server', ['a sentence'])
  problems.note('server', ['a sentence'])
  expect(problems.ofAnswers()).toBe('a sentence')
  problems.note('server', [])
  expect(problems.ofAnswers()).toBeUndefined()
  problems.note('types', [])
  expect(told).toEqual([['a type'], ['a sentence', 'a type'], ['a type'], []])
})
