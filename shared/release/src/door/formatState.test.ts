import { formatState, sayGuest } from './formatState.ts'

const state = { part: 'remote-report', live: 'a'.repeat(16), canary: null, needsTwoPeople: false }
const canary = { releaseId: 'b'.repeat(16), percent: 0 }

describe('the state of a part [P97]', () => {
  it.each([
    [{ ...canary, users: 1 }, '1 named person'],
    [{ ...canary, users: 2 }, '2 named people'],
    [{ ...canary, percent: 10, users: 1 }, '10 % and 1 named person'],
    [{ ...canary, percent: 10 }, '10 %'],
    [canary, '0 %'],
  ])('says who gets the canary %j', (running, share) => {
    expect(formatState({ ...state, canary: running }).split('\n')[1]).toBe(`  canary ${running.releaseId}, ${share}`)
  })

  it('says that it is a guest, why, and that a canary that asks for it is one alone', () => {
    expect(sayGuest(state)).toEqual([])
    expect(sayGuest({ ...state, guest: 'release' })).toEqual([
      expect.stringMatching(/^ {2}a guest: its live release asks for it .* only the platform's team makes it a part/),
    ])
    expect(sayGuest({ ...state, guest: 'registry' })).toEqual([
      expect.stringMatching(/^ {2}a guest, whatever its releases declare: only the platform's team/),
    ])
    expect(sayGuest({ ...state, canary: { ...canary, isGuest: true } })).toEqual([
      '  its canary is a guest for those who get it; once live, the part stays one',
    ])
  })
})
