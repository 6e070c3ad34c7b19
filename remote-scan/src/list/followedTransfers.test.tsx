import { scan } from '@dmp/contract'
import { aScanRow, aTransfer } from '@dmp/contract/examples'
import { answer, renderScreen } from '@dmp/kit/testing'
import { act, screen, within } from '@testing-library/react'
import { App } from '../App.tsx'

it('transfers are asked for every two seconds while one runs and somebody looks; the newest five are shown', async () => {
  jest.useFakeTimers({ advanceTimers: true })
  const running = aTransfer({ id: '00000000-0000-4000-8000-0000000000b0' })
  const transfers = [
    running,
    ...Array.from({ length: 5 }, (_, at) =>
      aTransfer({
        id: `00000000-0000-4000-8000-0000000000b${at + 1}`,
        state: 'Done',
        finishedDate: '2026-05-05T09:01:00.000Z',
      }),
    ),
  ]
  const { calls } = renderScreen(<App notFound={null} />, {
    at: '/scan',
    as: 'admin',
    answers: [
      answer(scan.list, { rows: [aScanRow()], total: 1 }),
      answer(scan.listTransfers, transfers),
      answer(scan.listFilters, []),
    ],
  })
  const table = within(await screen.findByRole('table', { name: 'Transfers' }))
  expect(table.getAllByRole('button', { name: 'Details' })).toHaveLength(5)
  const asked = () => calls(scan.listTransfers).length
  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))
  expect(asked()).toBe(1)
  await pass(2500)
  expect(asked()).toBe(2)
  await pass(2000)
  expect(asked()).toBe(3)
  // Nobody looks at the page.
  const sight = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await pass(10_000)
  expect(asked()).toBe(3)
  sight.mockRestore()
  await act(async () => {
    document.dispatchEvent(new Event('visibilitychange'))
    await jest.advanceTimersByTimeAsync(100)
  })
  expect(asked()).toBe(4)
  jest.useRealTimers()
})

it('transfers are shown as they are by now, however long the answer takes', async () => {
  jest.useFakeTimers({ advanceTimers: true })
  let ms = 0
  let transfer = aTransfer()
  const { calls } = renderScreen(<App notFound={null} />, {
    at: '/scan',
    as: 'admin',
    answers: [
      answer(scan.list, { rows: [aScanRow()], total: 1 }),
      answer(scan.listTransfers, () => new Promise((reply) => void setTimeout(() => reply([transfer]), ms)) as never),
      answer(scan.listFilters, []),
    ],
  })
  const progress = () => screen.getByRole('progressbar', { name: 'Transfer to South-Clinic' })
  await screen.findByRole('progressbar', { name: 'Transfer to South-Clinic' })
  expect(progress()).toHaveAttribute('aria-valuenow', '25')
  ms = 5000
  transfer = aTransfer({ state: 'Done', finishedDate: '2026-05-05T09:01:00.000Z' })
  await act(() => jest.advanceTimersByTimeAsync(8000))
  expect(progress()).toHaveAttribute('aria-valuenow', '100')
  expect(calls(scan.listTransfers)).toHaveLength(2)
  jest.useRealTimers()
})
