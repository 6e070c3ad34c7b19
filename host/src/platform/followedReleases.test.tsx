import { history, status } from '@dmp/contract/releaseCalls'
import { listPreviews } from '@dmp/contract/releasePreview'
import { listOwnDeletions, listTransfers } from '@dmp/contract/scan'
import { answer } from '@dmp/kit/testing'
import { act, screen } from '@testing-library/react'
import { Pages } from '../pages/Pages.tsx'
import { placeSnapshot } from '../testing/createRemote.ts'
import { renderPage } from '../testing/renderPage.ts'
import { scans, watch } from '../testing/shownPart.ts'

it('the platform screen looks again every half minute in which somebody looks, and at once when they come back', async () => {
  jest.useFakeTimers({ advanceTimers: true })
  placeSnapshot()
  const { calls } = renderPage(<Pages />, {
    at: '/platform',
    as: 'super_admin',
    answers: [
      answer(status, { version: 2, parts: [scans], watch }),
      ...[history, listPreviews, listTransfers, listOwnDeletions].map((call) => answer(call, [])),
    ],
  })
  await screen.findByRole('region', { name: 'Scans' })
  const before = calls(status).length
  await act(() => jest.advanceTimersByTimeAsync(29_000))
  expect(calls(status)).toHaveLength(before)
  await act(() => jest.advanceTimersByTimeAsync(2000))
  expect(calls(status)).toHaveLength(before + 1)
  // Nobody looks at the page.
  const sight = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await act(() => jest.advanceTimersByTimeAsync(120_000))
  expect(calls(status)).toHaveLength(before + 1)
  sight.mockRestore()
  await act(async () => {
    document.dispatchEvent(new Event('visibilitychange'))
    await jest.advanceTimersByTimeAsync(100)
  })
  expect(calls(status)).toHaveLength(before + 2)
  jest.useRealTimers()
})
