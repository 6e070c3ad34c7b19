import { useUnsaved } from '@dmp/kit'
import { renderScreen } from '@dmp/kit/testing'
import { act, fireEvent, screen } from '@testing-library/react'
import { placeSnapshot } from '../testing/createRemote.ts'
import { NewVersionBanner } from './NewVersionBanner.tsx'

const pinned = '0'.repeat(16)

/** The server says that this snapshot is live, or fails. */
function serverSays(answer: (() => Promise<unknown>) | string): jest.Mock {
  const asked = jest.fn(async () => ({
    ok: true,
    json: async () => (typeof answer === 'string' ? { data: { snapshot: answer } } : answer()),
  }))
  globalThis.fetch = asked as unknown as typeof globalThis.fetch
  return asked
}

const comeBack = () =>
  act(async () => {
    fireEvent.focus(window)
  })

function draw(ui = <NewVersionBanner />) {
  placeSnapshot()
  return renderScreen(ui, { at: '/dashboard' })
}

describe('a newer version', () => {
  it('is offered to who comes back to the page, and can wait', async () => {
    const { user } = draw()
    serverSays('f'.repeat(16))
    await comeBack()
    expect(screen.getByRole('status')).toHaveTextContent('A new version of the application is available.')
    expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Later' }))
    expect(screen.queryByRole('status')).toBeNull()
  })

  it('is looked for once a minute while the page is seen, and no answer is waited for longer than three seconds', async () => {
    jest.useFakeTimers()
    const patience = jest.spyOn(AbortSignal, 'timeout')
    draw()
    const asked = serverSays('f'.repeat(16))
    await act(() => jest.advanceTimersByTimeAsync(59_000))
    expect(asked).not.toHaveBeenCalled()
    await act(() => jest.advanceTimersByTimeAsync(2000))
    expect(asked).toHaveBeenCalledTimes(1)
    expect(patience).toHaveBeenCalledWith(3000)
    expect(screen.getByRole('status')).toHaveTextContent('A new version of the application is available.')
    jest.useRealTimers()
    patience.mockRestore()
  })

  it('is not looked for while nobody sees the page, and is when it is seen again', async () => {
    draw()
    const asked = serverSays('f'.repeat(16))
    const sight = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await comeBack()
    expect(asked).not.toHaveBeenCalled()
    sight.mockRestore()
    await act(async () => void document.dispatchEvent(new Event('visibilitychange')))
    expect(asked).toHaveBeenCalledTimes(1)
  })

  it('is not made up from the answer of a server that fails', async () => {
    draw()
    globalThis.fetch = (async () => ({
      ok: false,
      json: async () => ({ data: { snapshot: 'f'.repeat(16) } }),
    })) as unknown as typeof globalThis.fetch
    await comeBack()
    expect(screen.queryByRole('status')).toBeNull()
  })

  it('is not offered while the page’s own snapshot is live', async () => {
    draw()
    const asked = serverSays(pinned)
    await comeBack()
    expect(asked).toHaveBeenCalledWith(`/releases/live?of=${pinned}`, expect.objectContaining({ cache: 'no-store' }))
    expect(screen.queryByRole('status')).toBeNull()
  })

  it('tells who has something unsaved to save first', async () => {
    const Dirty = () => {
      useUnsaved(true)
      return <NewVersionBanner />
    }
    draw(<Dirty />)
    serverSays('f'.repeat(16))
    await comeBack()
    expect(screen.getByRole('status')).toHaveTextContent('Save your work before you reload.')
  })

  it.each([
    [
      'cannot be reached',
      async () => {
        throw new TypeError('Failed to fetch')
      },
    ],
    ['answers something else', async () => ({ hello: 'proxy' })],
  ])('is not made up when the server %s', async (_what, answer) => {
    draw()
    serverSays(answer)
    await comeBack()
    expect(screen.queryByRole('status')).toBeNull()
  })

  it('is offered in place of the word that the page was reloaded, once there is one again', async () => {
    sessionStorage.setItem('dmp:recovered', JSON.stringify({ at: Date.now(), isTold: false }))
    draw()
    expect(screen.getByRole('status')).toHaveTextContent('so this page was reloaded')
    serverSays('f'.repeat(16))
    await comeBack()
    expect(screen.getByRole('status')).toHaveTextContent('A new version of the application is available.')
    sessionStorage.clear()
  })
})
