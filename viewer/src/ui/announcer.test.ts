import { Announcer } from './announcer.ts'

describe('what is said to screen readers', () => {
  beforeEach(() => jest.useFakeTimers())
  afterEach(() => jest.useRealTimers())

  it('is the last slice of a scroll, not every one of it [7.42, P29]', () => {
    const announcer = new Announcer()
    for (const slice of [1, 2, 3]) {
      announcer.say(`slice ${slice}`)
      jest.advanceTimersByTime(100)
    }
    expect(announcer.root).toHaveTextContent('')
    jest.advanceTimersByTime(600)
    expect(announcer.root).toHaveTextContent('slice 3')
    expect(announcer.root).toHaveAttribute('aria-live', 'polite')
  })
})
