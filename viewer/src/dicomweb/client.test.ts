import type * as client from './client.ts'

const share = '0f0e0d0c-0000-4000-8000-00000000000a'
const asked: string[] = []
/** A client of its own, which has read no share link yet; the server answers as told. */
function aClient(answer: (path: string) => Promise<Response> | Response): typeof client {
  asked.length = 0
  globalThis.fetch = async (input) => {
    asked.push(String(input))
    return answer(String(input))
  }
  let found: typeof client | undefined
  jest.isolateModules(() => {
    found = jest.requireActual<typeof client>('./client.ts')
  })
  return found!
}

describe('what a share link opens', () => {
  it.each([
    [401, 'link-ended'],
    [403, 'link-ended'],
    [404, 'link-ended'],
    [406, 'unsupported'],
    [410, 'not-found'],
  ])('is told, by an answer %i, as %s [P25]', async (status, kind) => {
    const { readShare, listSharedSeries } = aClient(() => new Response(null, { status }))
    readShare(share)
    await expect(listSharedSeries()).rejects.toMatchObject({ kind })
  })

  it('is never asked for the other studies of its patient [P25]', async () => {
    const { readShare, listPriors } = aClient(() => new Response(null, { status: 500 }))
    readShare(share)
    expect([await listPriors('1.2'), asked]).toEqual([{ data: [] }, []])
  })
})

describe('the other studies of a patient', () => {
  it.each([401, 403, 404])('are none for somebody who gets an answer %i [P79]', async (status) => {
    const { listPriors } = aClient(() => new Response(null, { status }))
    expect([await listPriors('1.2'), asked]).toEqual([{ data: [] }, ['/launch/priors/1.2']])
  })

  it.each([
    ['of a server that is busy', () => new Response(null, { status: 503 }), 'busy'],
    ['over a line that is away', () => Promise.reject(new TypeError('Failed to fetch')), 'network'],
  ])('did not come %s [P79]', async (_how, answer, kind) => {
    const { listPriors } = aClient(answer)
    await expect(listPriors('1.2')).rejects.toMatchObject({ kind })
  })
})

describe('the end of a share link', () => {
  beforeEach(() => jest.useFakeTimers())
  afterEach(() => jest.useRealTimers())

  it.each([
    ['a second after an answer that came at once', () => new Response(null), 1000],
    ['five seconds after a server that failed', () => new Response(null, { status: 503 }), 5000],
    ['five seconds after a line that was away', () => Promise.reject(new TypeError('Failed to fetch')), 5000],
  ])('is asked for again %s, and is there with a 404 [P25]', async (_when, answer, ms) => {
    let hasEnded = false
    const { readShare, waitForEndOfShare } = aClient(() => (hasEnded ? new Response(null, { status: 404 }) : answer()))
    readShare(share)
    const ended = jest.fn()
    void waitForEndOfShare().then(ended)
    await jest.advanceTimersByTimeAsync(ms - 1)
    expect(asked).toEqual([`/dicom-web/shared/${share}/watch`])
    hasEnded = true
    expect(ended).not.toHaveBeenCalled()
    await jest.advanceTimersByTimeAsync(1)
    expect([asked.length, ended.mock.calls.length]).toEqual([2, 1])
    await jest.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveLength(2)
  })

  it.each([1000, 30_000])('is asked for again at once where the server held its answer for %i ms [P25]', async (ms) => {
    const { waitForEndOfShare } = aClient(
      () => new Promise((resolve) => setTimeout(() => resolve(new Response(null)), asked.length < 2 ? ms : 10_000_000)),
    )
    void waitForEndOfShare()
    await jest.advanceTimersByTimeAsync(ms - 1)
    expect(asked).toHaveLength(1)
    await jest.advanceTimersByTimeAsync(1)
    expect(asked).toHaveLength(2)
  })
})
