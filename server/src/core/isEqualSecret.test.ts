import { isEqualSecret } from './isEqualSecret.ts'

describe('two secrets', () => {
  it.each([
    ['abc', 'abc', true],
    ['abc', 'abd', false],
    ['abc', 'abcd', false],
    ['', '', true],
    // One length as text, another as bytes: what somebody may send in a cookie.
    ['abc', 'ab\u00fc', false],
  ])('%j and %j are equal: %j [P07]', (a, b, isEqual) => {
    expect(isEqualSecret(a, b)).toBe(isEqual)
  })
})
