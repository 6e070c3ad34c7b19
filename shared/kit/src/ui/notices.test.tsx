import { notify } from '@dmp/kit/ui'
import { renderScreen } from '@dmp/kit/testing'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { RecentNotices } from './RecentNotices.tsx'

describe('notices', () => {
  const pass = (ms: number) =>
    act(() => {
      jest.advanceTimersByTime(ms)
    })
  const show = (run: () => void) => act(() => run())
  beforeEach(() => void jest.useFakeTimers())
  afterEach(() => void jest.useRealTimers())

  it('stand for 5000 ms, successes as status and errors as alert [9.09]', () => {
    renderScreen(<p>page</p>, { at: '/' })
    show(() => notify.success('Scan deleted'))
    show(() => notify.error('It failed.'))
    expect(screen.getByRole('status')).toHaveTextContent('Scan deleted')
    expect(screen.getByRole('alert')).toHaveTextContent('It failed.')
    pass(4999)
    expect(screen.getByText('Scan deleted')).toBeVisible()
    pass(1)
    expect(screen.queryByText('Scan deleted')).not.toBeInTheDocument()
  })

  it('stand still while pointed at, focused or hidden, and go on afterwards [9.09]', () => {
    renderScreen(<p>page</p>, { at: '/' })
    show(() => notify.info('Look'))
    pass(3000)
    fireEvent.mouseEnter(screen.getByRole('status'))
    pass(60_000)
    expect(screen.getByText('Look')).toBeVisible()
    fireEvent.mouseLeave(screen.getByRole('status'))
    pass(1999)
    expect(screen.getByText('Look')).toBeVisible()
    fireEvent.focus(screen.getByRole('button', { name: 'Close notification' }))
    pass(60_000)
    expect(screen.getByText('Look')).toBeVisible()
    fireEvent.blur(screen.getByRole('button', { name: 'Close notification' }))
    const hidden = jest.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    pass(60_000)
    expect(screen.getByText('Look')).toBeVisible()
    hidden.mockReturnValue(false)
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    pass(2000)
    expect(screen.queryByText('Look')).not.toBeInTheDocument()
    hidden.mockRestore()
  })

  it('stay twenty seconds with an action, or as long as it is possible, and stand still meanwhile [9.09, P78]', () => {
    renderScreen(<p>page</p>, { at: '/' })
    const onAct = jest.fn()
    show(() => notify.success('Scan deleted', { label: 'Undo', onAct }))
    show(() => notify.success('Transfer started', { label: 'Stop', onAct, forMs: 60_000 }))
    pass(19_999)
    expect(screen.getByText('Scan deleted')).toBeVisible()
    fireEvent.focus(screen.getByRole('button', { name: 'Undo' }))
    pass(60_000)
    expect(screen.getByText('Scan deleted')).toBeVisible()
    expect(screen.queryByText('Transfer started')).not.toBeInTheDocument()
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(onAct).toHaveBeenCalledTimes(1)
    expect(screen.queryByText('Scan deleted')).not.toBeInTheDocument()
  })

  it('offer their action among the messages of the page once they have passed, until it is done or too late [P78]', () => {
    renderScreen(<RecentNotices />, { at: '/' })
    const onAct = jest.fn()
    show(() => notify.success('Scan deleted', { label: 'Undo', onAct }))
    show(() => notify.success('Transfer started', { label: 'Stop', onAct, forMs: 21_000 }))
    pass(21_000)
    expect(screen.queryByText('Scan deleted')).not.toBeInTheDocument()
    fireEvent.click(screen.getByRole('button', { name: 'Recent notifications' }))
    expect(screen.getByText('Transfer started')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Stop' })).not.toBeInTheDocument()
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(onAct).toHaveBeenCalledTimes(1)
    expect(screen.getByText('Scan deleted')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
  })

  it('offer their action there as long as it is possible, and taking one leaves the others [P78]', () => {
    renderScreen(<RecentNotices />, { at: '/' })
    const [undo, stop] = [jest.fn(), jest.fn()]
    show(() => notify.success('Scan deleted', { label: 'Undo', onAct: undo }))
    show(() => notify.success('Transfer started', { label: 'Stop', onAct: stop, forMs: 21_000 }))
    pass(20_999)
    fireEvent.click(screen.getByRole('button', { name: 'Recent notifications' }))
    const dialog = within(screen.getByRole('dialog'))
    fireEvent.click(dialog.getByRole('button', { name: 'Undo' }))
    expect(dialog.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
    expect(screen.getAllByText('Transfer started')).toHaveLength(2)
    fireEvent.click(dialog.getByRole('button', { name: 'Stop' }))
    expect([undo, stop].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
  })

  it('can be closed, and read again afterwards', () => {
    renderScreen(<RecentNotices />, { at: '/' })
    show(() => notify.warning('Careful'))
    fireEvent.click(screen.getByRole('button', { name: 'Close notification' }))
    expect(screen.queryByText('Careful')).not.toBeInTheDocument()
    fireEvent.click(screen.getByRole('button', { name: 'Recent notifications' }))
    expect(screen.getByText('Careful')).toBeInTheDocument()
    expect(screen.queryByText('No notifications yet.')).not.toBeInTheDocument()
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByText('Careful')).not.toBeInTheDocument()
  })

  it('are none to be read again before there was one', () => {
    renderScreen(<RecentNotices />, { at: '/' })
    fireEvent.click(screen.getByRole('button', { name: 'Recent notifications' }))
    expect(screen.getByText('No notifications yet.')).toBeInTheDocument()
  })

  it('stand a second longer than they would when they are left late [9.09]', () => {
    renderScreen(<p>page</p>, { at: '/' })
    show(() => notify.info('Look'))
    pass(4900)
    fireEvent.mouseEnter(screen.getByRole('status'))
    pass(5000)
    fireEvent.mouseLeave(screen.getByRole('status'))
    pass(999)
    expect(screen.getByText('Look')).toBeVisible()
    pass(1)
    expect(screen.queryByText('Look')).not.toBeInTheDocument()
  })

  it('stand four at once, the newest, and twenty can be read again', () => {
    renderScreen(<RecentNotices />, { at: '/' })
    for (let count = 1; count <= 25; count += 1) show(() => notify.info(`Notice ${count}.`))
    expect(screen.getAllByRole('status').map((notice) => /Notice \d+/.exec(notice.textContent ?? '')?.[0])).toEqual([
      'Notice 22',
      'Notice 23',
      'Notice 24',
      'Notice 25',
    ])
    pass(5000)
    expect(screen.queryByText('Notice 25.')).not.toBeInTheDocument()
    fireEvent.click(screen.getByRole('button', { name: 'Recent notifications' }))
    expect(screen.getAllByText(/^Notice \d+\.$/).map(({ textContent }) => textContent)).toEqual(
      Array.from({ length: 20 }, (_, at) => `Notice ${25 - at}.`),
    )
  })

  it('do not repeat the same words at once', () => {
    renderScreen(<p>page</p>, { at: '/' })
    show(() => notify.error('Offline'))
    show(() => notify.error('Offline'))
    expect(screen.getAllByText('Offline')).toHaveLength(1)
  })
})
