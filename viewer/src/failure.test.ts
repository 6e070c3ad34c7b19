import { explanations, toFailure, isPassing, kindOfStatus, ViewerFailure } from './failure.ts'

describe('failures', () => {
  it.each([
    [0, 'network'],
    [401, 'expired'],
    [403, 'expired'],
    [404, 'not-found'],
    [408, 'network'],
    [410, 'not-found'],
    [406, 'unsupported'],
    [415, 'unsupported'],
    [504, 'network'],
    [429, 'busy'],
    [503, 'busy'],
    [500, 'server'],
  ])('an answer %i is told as %s [7.42, P28]', (status, kind) => {
    expect(kindOfStatus(status)).toBe(kind)
  })

  it('understands what the picture loader throws [7.42, P28]', () => {
    expect(toFailure({ status: 401 }).kind).toBe('expired')
    // The answer came, what was in it could not be read.
    expect(toFailure({ status: 200 }).kind).toBe('damaged')
    expect(toFailure({ error: { status: 0 } }).kind).toBe('network')
    expect(toFailure(new Error('no decoder for transfer syntax 1.2.840.10008.1.2.4.100')).kind).toBe('unsupported')
    expect(toFailure(new Error('unexpected end of data')).kind).toBe('damaged')
    expect(toFailure(new ViewerFailure('busy')).kind).toBe('busy')
  })

  it('makes something of whatever else is thrown [7.42, P28]', () => {
    const circle: { error?: unknown } = {}
    circle.error = circle
    for (const odd of [null, undefined, 'gone', circle, { status: 'gone' }, { error: undefined }])
      expect(toFailure(odd).kind).toBe('damaged')
    expect(toFailure('no decoder here').kind).toBe('unsupported')
    expect(toFailure(Object.assign(new Error('not supported'), { error: undefined })).kind).toBe('unsupported')
  })

  it('pauses for the line and the server only [P28]', () => {
    expect((['network', 'busy', 'server'] as const).every(isPassing)).toBe(true)
    expect((['damaged', 'unsupported', 'expired', 'not-found'] as const).some(isPassing)).toBe(false)
  })

  it('has a full sentence for every kind [7.42]', () => {
    for (const { title, sentence } of Object.values(explanations)) {
      expect(title).toMatch(/^[A-Z]/)
      expect(sentence).toMatch(/[.]$/)
    }
  })

  it('offers to try again unless nothing could come of it [7.42, P28]', () => {
    const hopeless = Object.entries(explanations)
      .filter(([, { mayRetry }]) => !mayRetry)
      .map(([kind]) => kind)
    expect(hopeless).toEqual(['address', 'link-ended', 'no-images', 'video', 'decimals', 'unsupported'])
  })
})
