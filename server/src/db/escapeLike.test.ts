import { escapeLike } from './escapeLike.ts'

describe('text in a LIKE pattern', () => {
  it('stands for itself, with every character that LIKE would read otherwise', () => {
    expect(escapeLike('100%_a\\b*')).toBe('100\\%\\_a\\\\b*')
  })
})
