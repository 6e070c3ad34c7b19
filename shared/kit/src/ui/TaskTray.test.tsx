import { renderScreen, signInAs } from '@dmp/kit/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { TaskTray } from './TaskTray.tsx'
import { tasks } from './tasks.ts'

const upload = { id: 'upload', title: 'Upload', url: '/scan/upload', percent: 40, state: 'running' } as const

afterEach(() => act(() => tasks.remove('upload')))

describe('the task tray', () => {
  it('is not there while nothing goes on', () => {
    renderScreen(<TaskTray />, { at: '/' })
    expect(screen.queryByRole('button', { name: /Tasks/ })).not.toBeInTheDocument()
  })

  it('says how far it is, and leads to the screen', async () => {
    const { user, path } = renderScreen(<TaskTray />, { at: '/dashboard' })
    act(() => tasks.put(upload))
    await user.click(await screen.findByRole('button', { name: 'Tasks 40%' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Tasks' }))
    expect(dialog.getByRole('progressbar', { name: 'Upload' })).toHaveAttribute('aria-valuenow', '40')
    expect(dialog.queryByRole('button', { name: 'Dismiss Upload' })).not.toBeInTheDocument()
    await user.click(dialog.getByRole('link', { name: 'Upload' }))
    expect(path()).toBe('/scan/upload')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  it('says the mean of what is under way, and can be closed', async () => {
    const { user } = renderScreen(<TaskTray />, { at: '/dashboard' })
    act(() => {
      tasks.put(upload)
      tasks.put({ ...upload, id: 'transfer', title: 'Transfer', percent: 21 })
    })
    await user.click(await screen.findByRole('button', { name: 'Tasks 30%' }))
    await user.click(
      within(await screen.findByRole('dialog', { name: 'Tasks' })).getByRole('button', { name: 'Close' }),
    )
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    act(() => tasks.remove('transfer'))
  })

  it('keeps what is over until it is forgotten', async () => {
    const { user } = renderScreen(<TaskTray />, { at: '/dashboard' })
    act(() => tasks.put({ ...upload, percent: 100, state: 'failed', note: '1 of 3 files refused' }))
    await user.click(await screen.findByRole('button', { name: 'Tasks !' }))
    expect(await screen.findByText('1 of 3 files refused')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Dismiss Upload' }))
    expect(screen.queryByRole('button', { name: /^Tasks/ })).not.toBeInTheDocument()
  })

  it('does not bring back what was dismissed, unless it goes on again [P78]', async () => {
    const over = { ...upload, percent: 100, state: 'done' } as const
    const { user } = renderScreen(<TaskTray />, { at: '/dashboard' })
    act(() => tasks.put(over))
    await user.click(await screen.findByRole('button', { name: 'Tasks ✓' }))
    await user.click(screen.getByRole('button', { name: 'Dismiss Upload' }))
    act(() => tasks.put(over))
    expect(screen.queryByRole('button', { name: /^Tasks/ })).not.toBeInTheDocument()
    act(() => {
      tasks.put({ ...over, id: 'other' })
      tasks.dismiss('other')
      tasks.put(upload)
      tasks.put(over)
      // What goes on again is one of two that were dismissed.
      tasks.put({ ...over, id: 'other', title: 'Other' })
    })
    await user.click(await screen.findByRole('button', { name: 'Tasks ✓' }))
    expect(await screen.findByRole('button', { name: 'Dismiss Upload' })).toBeInTheDocument()
    expect(screen.queryByText('Other')).not.toBeInTheDocument()
  })

  it('offers what can be done about a task, once at a time [P78]', async () => {
    const done = Promise.withResolvers<void>()
    const onAct = jest.fn(() => done.promise)
    const { user } = renderScreen(<TaskTray />, { at: '/dashboard' })
    act(() => tasks.put({ ...upload, action: { label: 'Stop', onAct } }))
    await user.click(await screen.findByRole('button', { name: 'Tasks 40%' }))
    await user.click(await screen.findByRole('button', { name: 'Stop: Upload' }))
    await user.click(screen.getByRole('button', { name: 'Stop: Upload' }))
    expect(onAct).toHaveBeenCalledTimes(1)
    await act(async () => done.resolve())
  })

  it('does not show what somebody else left', async () => {
    renderScreen(<TaskTray />, { at: '/dashboard', as: 'staff' })
    act(() => tasks.put(upload))
    await screen.findByRole('button', { name: 'Tasks 40%' })
    act(() => {
      signInAs('admin')
      tasks.remove('none')
    })
    expect(screen.queryByRole('button', { name: /Tasks/ })).not.toBeInTheDocument()
  })
})
