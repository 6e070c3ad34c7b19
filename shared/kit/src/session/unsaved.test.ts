import * as account from '@dmp/contract/account'
import { forgetUnsaved, hasUnkept, hasUnsaved, reloadInLanguage, session, useHasUnsaved, useUnsaved } from '@dmp/kit'
import { answer, placeSettings, serve, signInAs } from '@dmp/kit/testing'
import { act, renderHook } from '@testing-library/react'

describe('something typed and unsaved', () => {
  afterEach(() => act(() => forgetUnsaved()))

  it('is asked about before the person signs out, who may stay [P27]', async () => {
    serve([answer(account.logout, null)], placeSettings().apiRoot)
    signInAs('staff')
    const { result } = renderHook(() => useHasUnsaved())
    expect(result.current).toBe(false)
    renderHook(() => useUnsaved(true))
    expect(result.current).toBe(true)
    await act(() => session.end())
    expect(session.get()).toMatchObject({ asksLeave: true, user: { email: 'staff@example.org' } })
    await act(() => session.answerLeave(false))
    expect(session.get()).toMatchObject({ asksLeave: false, user: { email: 'staff@example.org' } })
    await act(() => session.end())
    await act(() => session.answerLeave(true))
    expect(session.get()).toMatchObject({ asksLeave: false, user: null, hasLeft: true })
    expect(result.current).toBe(false)
  })

  it('lets the password be asked for where the session ends by itself, until it is given up [P27]', async () => {
    serve([answer(account.logout, null)], placeSettings().apiRoot)
    signInAs('staff')
    renderHook(() => useUnsaved(true))
    await act(() => session.end('because'))
    expect(session.get()).toMatchObject({
      tokens: null,
      asksPassword: true,
      endedBecause: 'because',
      user: { email: 'staff@example.org' },
    })
    act(() => session.abandon())
    expect(session.get()).toMatchObject({ user: null, asksPassword: false })
  })

  it('is lost by a reload unless all of it is kept [P27]', () => {
    const { unmount } = renderHook(() => useUnsaved(true, true))
    expect(hasUnkept()).toBe(false)
    renderHook(() => useUnsaved(true))
    expect(hasUnkept()).toBe(true)
    unmount()
  })

  it('is asked about by the browser before the page is closed, and only then [P27]', () => {
    const closes = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    const { rerender } = renderHook(({ isDirty }) => useUnsaved(isDirty), { initialProps: { isDirty: false } })
    expect(closes()).toBe(true)
    rerender({ isDirty: true })
    expect(closes()).toBe(false)
    rerender({ isDirty: false })
    expect(closes()).toBe(true)
  })

  it.each([
    ['asks before what is kept nowhere is lost', false, true],
    ['asks nothing where a draft restores all of it', true, false],
  ])('at a reload in another language %s [P27]', (_what, isKept, asks) => {
    renderHook(() => useUnsaved(true, isKept))
    const reload = jest.fn(() => hasUnsaved())
    act(() => reloadInLanguage(reload))
    expect(reload).toHaveReturnedWith(asks)
  })
})
