import { organization, scan } from '@dmp/contract'
import { aHeldScan, northClinic, southClinic } from '@dmp/contract/examples'
import { answer, renderScreen } from '@dmp/kit/testing'
import { act, screen } from '@testing-library/react'
import { App } from '../App.tsx'

const ui = <App notFound={null} />
const listed = (...rows: ReturnType<typeof aHeldScan>[]) => answer(scan.listHeld, { rows, total: rows.length })

describe('the list of held pictures [P36]', () => {
  it('names each scan that waits, how many pictures, and where it is to go', async () => {
    const { calls } = renderScreen(ui, { at: '/scan/held', as: 'admin', answers: [listed(aHeldScan())] })
    expect(await screen.findByRole('link', { name: 'Sample, Ruth' })).toHaveAttribute(
      'href',
      `/scan/held/${aHeldScan().id}`,
    )
    for (const text of ['Abdomen', 'US', '2', 'South-Clinic', 'Ms Ada Berg'])
      expect(screen.getByRole('cell', { name: text })).toBeVisible()
    expect(calls(scan.listHeld)).toMatchObject([{ organizationId: northClinic.id }])
  })

  it('shows what others started without a reload', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'performance'] })
    let rows = [aHeldScan()]
    renderScreen(ui, {
      at: '/scan/held',
      as: 'admin',
      answers: [answer(scan.listHeld, () => ({ rows, total: rows.length }))],
    })
    await act(() => jest.advanceTimersByTimeAsync(1000))
    rows = [aHeldScan({ id: northClinic.id, patientName: 'Example, Jonas' }), ...rows]
    await act(() => jest.advanceTimersByTimeAsync(7000))
    expect(screen.getByText('Example, Jonas')).toBeVisible()
    jest.useRealTimers()
  })

  it('is not asked for while nobody looks at the page, and at once when somebody does again', async () => {
    jest.useFakeTimers({ advanceTimers: true })
    const { calls } = renderScreen(ui, { at: '/scan/held', as: 'admin', answers: [listed(aHeldScan())] })
    await screen.findByText('Sample, Ruth')
    const sight = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await act(() => jest.advanceTimersByTimeAsync(12_000))
    expect(calls(scan.listHeld)).toHaveLength(1)
    sight.mockRestore()
    await act(async () => {
      document.dispatchEvent(new Event('visibilitychange'))
      await jest.advanceTimersByTimeAsync(100)
    })
    expect(calls(scan.listHeld)).toHaveLength(2)
    jest.useRealTimers()
  })

  it('is shown by organization to the provider, and to nobody without the right [P01]', async () => {
    renderScreen(ui, {
      at: '/scan/held',
      as: 'super_admin',
      answers: [answer(organization.listActivated, [northClinic, southClinic]), listed(aHeldScan())],
    })
    expect(await screen.findByRole('combobox', { name: 'Organization' })).toBeVisible()
  })

  it('says to those without the right whom to ask', async () => {
    renderScreen(ui, { at: '/scan/held', as: 'staff', answers: [] })
    expect(await screen.findByText(/not allowed to transfer scans/)).toBeVisible()
  })
})
