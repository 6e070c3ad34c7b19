import { calls } from '@dmp/contract/calls'
import type { Endpoint, Input } from '@dmp/contract/endpoint'
import { call, type CallError } from '@dmp/kit'
import { placeSettings, signInAs } from '@dmp/kit/testing'
import { queryClient } from '../transport/queryClient.ts'

// Every call of the contract on every kind of bad line; a new call is in it at once.
const failing = (error: Error) => () => Promise.reject(error)
const lines: [line: string, answer: () => Promise<Response>, sentence: string][] = [
  [
    'without a network',
    failing(new TypeError('Failed to fetch')),
    'You are offline. Check your connection and try again.',
  ],
  [
    'without a server',
    failing(new TypeError('Failed to fetch')),
    'The server cannot be reached right now. Please try again.',
  ],
  [
    'that takes too long',
    failing(Object.assign(new Error('Request timed out'), { name: 'TimeoutError' })),
    'The server is taking too long to respond. Please try again.',
  ],
  [
    'to a server that starts anew',
    async () => Response.json({ code: 'STARTING', message: 'The server starts. Please try again.' }, { status: 503 }),
    'The server starts. Please try again.',
  ],
]
const named = (some: readonly Endpoint[]): [string, Endpoint][] => some.map((one) => [one.name, one])
const reads = named(calls.filter(({ definition }) => definition.method === 'GET'))
const changes = named(calls.filter(({ definition }) => definition.method !== 'GET'))
const anyInput = ({ definition }: Endpoint): Input<Endpoint> =>
  Object.fromEntries([...definition.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, 'x'])) as Input<Endpoint>

let sent = 0
let answers: (() => Promise<Response>)[] = []

beforeEach(() => {
  jest.useFakeTimers()
  placeSettings()
  signInAs('staff')
  sent = 0
  globalThis.fetch = async () => {
    sent += 1
    return (answers[sent - 1] ?? answers.at(-1))!()
  }
})
afterEach(() => {
  queryClient.clear()
  jest.useRealTimers()
  jest.restoreAllMocks()
})

const ask = (read: Endpoint): Promise<unknown> =>
  queryClient.fetchQuery({ queryKey: [read.name], queryFn: () => call(read, anyInput(read)) })
const failure = (asked: Promise<unknown>): Promise<CallError> =>
  asked.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: CallError) => error,
  )

describe.each(lines)('a line %s', (line, answer, sentence) => {
  beforeEach(() => {
    answers = [answer]
    jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(line !== 'without a network')
  })

  it.each(reads)('lets %s be read once more by itself, and is then told in a sentence [P28]', async (_, read) => {
    const told = failure(ask(read))
    await jest.advanceTimersByTimeAsync(1000)
    expect([(await told).message, sent]).toEqual([sentence, 2])
  })

  it.each(changes)('is told at once for %s, which nobody sends twice [P28]', async (_, change) => {
    const told = failure(call(change, anyInput(change)))
    await jest.advanceTimersByTimeAsync(1000)
    expect([(await told).message, sent]).toEqual([sentence, 1])
  })
})

describe('a line that comes and goes', () => {
  it.each(reads)('is noticed by nobody who reads %s [P28]', async (_, read) => {
    answers = [failing(new TypeError('Failed to fetch')), async () => Response.json({ data: null })]
    jest.spyOn(console, 'warn').mockImplementation()
    const asked = ask(read)
    await jest.advanceTimersByTimeAsync(1000)
    await expect(asked).resolves.toBeDefined()
    expect(sent).toBe(2)
  })
})

describe('a server that says when to come back', () => {
  const [, read] = reads[0]!
  it.each([
    [3, 3000],
    [3600, 10_000],
  ])('by %d s is asked again after %d ms [P19, P28]', async (seconds, ms) => {
    jest.spyOn(console, 'warn').mockImplementation()
    const busy = { code: 'BUSY', message: 'The server is busy. Please try again.' }
    answers = [
      async () => Response.json(busy, { status: 503, headers: { 'retry-after': String(seconds) } }),
      async () => Response.json({ data: null }),
    ]
    const asked = ask(read)
    await jest.advanceTimersByTimeAsync(ms - 1)
    expect(sent).toBe(1)
    await jest.advanceTimersByTimeAsync(1)
    await expect(asked).resolves.toBeDefined()
    expect(sent).toBe(2)
  })
})
