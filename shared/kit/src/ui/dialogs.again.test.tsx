import { act, render, screen } from '@testing-library/react'
import { getNotices } from './notify.ts'
import { Modal } from './Modal.tsx'

let mockIsAway = true
jest.mock('./AntDialog.tsx', () => {
  if (mockIsAway) throw new Error('It took too long.')
  return { AntDialog: ({ title }: { title: string }) => <div role="dialog">{title}</div> }
})

/** On a slow line, or behind a page that was busy, a script misses its limit and is there a moment later. */
it('a dialog whose code comes at the third try is shown, and nothing is said [P26]', async () => {
  jest.useFakeTimers()
  const close = jest.fn()
  const { unmount } = render(<Modal open title="Share" onCancel={close} footer={null} />)
  await act(() => jest.advanceTimersByTimeAsync(900))
  mockIsAway = false
  await act(() => jest.advanceTimersByTimeAsync(200))
  expect(close).not.toHaveBeenCalled()
  expect(getNotices().shown).toEqual([])
  expect(screen.getByRole('dialog')).toHaveTextContent('Share')
  unmount()
  jest.useRealTimers()
})
