import { childSeconds } from './processorTime.ts'

describe('the processor time of programs that were started', () => {
  it('is read from what Linux says, whatever the program is called', () => {
    const stat = `12 (a (name) of 3) S ${Array.from({ length: 12 }, (_, n) => n).join(' ')} 250 50 20 0`
    expect(childSeconds(stat)).toBe(3)
  })

  it('is none where nothing is said', () => {
    expect(childSeconds('')).toBe(0)
  })
})
