import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useKeys } from '../keys/useKeys.ts'
import { getNotices } from './notify.ts'
import { Modal } from './Modal.tsx'

const select = jest.fn()
let mockIsAway = true
jest.mock('./AntDialog.tsx', () => {
  if (mockIsAway) throw new Error('The line is gone.')
  return { AntDialog: ({ title }: { title: string }) => <div role="dialog">{title}</div> }
})

function Page({ isOpen = true }) {
  useKeys([{ label: 'Select', group: 'Scans', keys: ['x'], run: select }])
  return <Modal open={isOpen} title="Share" onCancel={() => undefined} footer={null} />
}

describe('a dialog whose code has not come', () => {
  it('keeps what is typed for it from the keys of the page [P34]', () => {
    jest.useFakeTimers()
    render(<Page />)
    expect(screen.queryByRole('dialog')).toBeNull()
    fireEvent.keyDown(document.body, { key: 'x' })
    expect(select).not.toHaveBeenCalled()
    cleanup()
    jest.useRealTimers()
  })

  it('keeps nothing from the page where it is not open [P34]', () => {
    jest.useFakeTimers()
    render(<Page isOpen={false} />)
    fireEvent.keyDown(document.body, { key: 'x' })
    expect(select).toHaveBeenCalledTimes(1)
    cleanup()
    jest.useRealTimers()
  })

  it('says so and closes again, and one that nobody can close is tried until it is there [P26]', async () => {
    const close = jest.fn()
    const { unmount } = render(<Modal open title="Share" onCancel={close} footer={null} />)
    await waitFor(() => expect(close).toHaveBeenCalledTimes(1), { timeout: 20_000 })
    expect(getNotices().shown).toMatchObject([
      { kind: 'error', text: 'This could not be opened. Check your connection and try again.' },
    ])
    unmount()

    jest.useFakeTimers()
    render(<Modal open title="Are you still there?" footer={null} />)
    await act(() => jest.advanceTimersByTimeAsync(2500))
    expect(screen.queryByRole('dialog')).toBeNull()
    mockIsAway = false
    await act(() => jest.advanceTimersByTimeAsync(2500))
    expect(screen.getByRole('dialog')).toHaveTextContent('Are you still there?')
    expect(getNotices().shown).toHaveLength(1)
    jest.useRealTimers()
  })
})
