import { scan } from '@dmp/contract'
import { CallError } from '@dmp/kit'
import { addData, answer, renderScreen } from '@dmp/kit/testing'
import { act, screen } from '@testing-library/react'
import { useShareEnd } from './useShareEnd.ts'

const gone = new CallError(404, 'LINK_GONE', 'This link is invalid or has expired.')
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))
beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

const Ending = () => <p>{useShareEnd('secret-token').hasEnded ? 'over' : 'there'}</p>
function draw(reply: () => unknown) {
  const screenOf = renderScreen(<Ending />, {
    at: '/share/secret-token',
    as: null,
    answers: [answer(scan.watchShared, reply as never)],
  })
  addData('there')
  addData('over')
  return { ...screenOf, asked: () => screenOf.calls(scan.watchShared).length }
}

describe('a page that waits for the end of its link', () => {
  it('asks once a second at most where the answer comes at once, and at once where it took longer', async () => {
    let ms = 0
    const { asked } = draw(() => new Promise((answered) => void setTimeout(() => answered(null), ms)))
    await pass(1)
    expect(asked()).toBe(1)
    await pass(990)
    expect(asked()).toBe(1)
    ms = 30_000
    await pass(20)
    expect(asked()).toBe(2)
    await pass(29_900)
    expect(asked()).toBe(2)
    await pass(110)
    expect(asked()).toBe(3)
    expect(screen.getByText('there')).toBeVisible()
  })

  it.each([
    ['a broken line', new TypeError('Failed to fetch')],
    ['a server that has no room', new CallError(503, 'NOT_READY', 'Not now.')],
    ['a server of before, which knows no such call', new CallError(404, 'NOT_FOUND', 'There is no such page.')],
  ])('asks again five seconds after %s, and takes it for no end', async (_what, failure) => {
    const { asked } = draw(() => Promise.reject(failure))
    await pass(4990)
    expect(asked()).toBe(1)
    await pass(20)
    expect(asked()).toBe(2)
    expect(screen.getByText('there')).toBeVisible()
  })

  it('believes in the end when it is said twice, one after the other', async () => {
    const replies = [gone, new TypeError('Failed to fetch'), gone, gone]
    const { asked } = draw(() => Promise.reject(replies.shift() ?? new Error('asked again')))
    await pass(100)
    // Once, and then a line that broke: nothing is known.
    expect([asked(), screen.getByText('there').textContent]).toEqual([2, 'there'])
    await pass(5000)
    expect([asked(), screen.getByText('over').textContent]).toEqual([4, 'over'])
  })

  it('asks nothing more once it was left', async () => {
    const { asked, unmount } = draw(() => Promise.reject(new TypeError('Failed to fetch')))
    await pass(100)
    unmount()
    await pass(20_000)
    expect(asked()).toBe(1)
  })
})
