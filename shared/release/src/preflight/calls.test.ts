import { findUnansweredCalls, parseCalls, type CallShapes } from './calls.ts'

const call = (path: string) => ({ method: 'POST', path, takes: { is: 'text' }, gives: { is: 'nothing' } }) as const
const calls = (count: number): CallShapes =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`POST /${at}`, call(`/${at}`)]))
const text = (value: object): string => JSON.stringify(value)

describe('the calls that a release says it makes', () => {
  it('are read up to a thousand of them, and up to a million signs', () => {
    expect(parseCalls(text({}))).toEqual({})
    expect(parseCalls(text(calls(1000)))).toEqual(calls(1000))
    const one = text(calls(1))
    expect(parseCalls(one + ' '.repeat(1_000_000 - one.length))).toEqual(calls(1))
  })

  it.each([
    ['more than a thousand', text(calls(1001))],
    ['more than a million signs', `${text(calls(1))}${' '.repeat(1_000_000)}`],
    ['no JSON', '{"POST /a":'],
    ['a number', '7'],
    ['a call without a method', text({ 'POST /a': { ...call('/a'), method: undefined } })],
    ['a call of a shape that nobody knows', text({ 'POST /a': { ...call('/a'), takes: { is: 'secret' } } })],
    ['a call that says more', text({ 'POST /a': { ...call('/a'), more: 1 } })],
    ['a shape that is nested for ever', `{"POST /a":${'{"is":"list","of":'.repeat(50_000)}`],
  ])('cannot be read where they are %s', (_what, content) => {
    expect(parseCalls(content)).toBe('unreadable')
  })
})

describe('a part and a server', () => {
  const made = { 'POST /a': call('/a'), 'POST /b': call('/b') }
  it('go together where the server answers each call as it is made, and more', () => {
    expect(findUnansweredCalls('remote-scan', made, { ...made, 'POST /c': call('/c') })).toEqual([])
    expect(findUnansweredCalls('remote-scan', {}, {})).toEqual([])
  })

  it.each([
    ['is not there', {}, 'makes the call POST /b, which the server does not answer.'],
    ['has only the name of what every object has', { toString: call('/b') }, 'which the server does not answer.'],
    [
      'takes something else',
      { 'POST /b': { ...call('/b'), takes: { is: 'number' } } as const },
      'makes the call POST /b in a way that the server does not answer: ',
    ],
  ])('do not go together where a call %s', (_what, answered: CallShapes, words) => {
    const [first, ...others] = findUnansweredCalls('remote-scan', made, { 'POST /a': call('/a'), ...answered })
    expect([first?.parties, first?.reason, others]).toEqual([
      ['remote-scan', 'server'],
      expect.stringContaining(words),
      [],
    ])
  })

  it('do not where a call has the name of what every object has', () => {
    const inherited = { toString: call('/a') } as unknown as CallShapes
    const [found] = findUnansweredCalls('remote-scan', inherited, {})
    expect(found?.reason).toBe('remote-scan makes the call toString, which the server does not answer.')
  })
})
