import { hasChanges } from './formSchema.ts'

describe('whether a form differs from where it started', () => {
  it.each([
    ['nothing changed', { name: 'a' }, { name: 'a' }, false],
    ['a text changed', { name: 'a' }, { name: 'b' }, true],
    ['an empty field was emptied again', { name: null }, { name: '' }, false],
    ['the same choices in another list', { roles: ['a', 'b'] }, { roles: ['a', 'b'] }, false],
    ['one choice more', { roles: ['a'] }, { roles: ['a', 'b'] }, true],
    ['a list in place of a text', { roles: 'a' }, { roles: ['a'] }, true],
  ])('%s [P27]', (_, start, values, isDifferent) => {
    expect(hasChanges(start, values)).toBe(isDifferent)
  })
})
