import { audit, scan } from '@dmp/contract'
import { aScan, aScanRow } from '@dmp/contract/examples'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

it('somebody who comes Back from a scan finds what was ticked, also on another page, and nobody anew does [P77]', async () => {
  const [first, second] = [[aScanRow()], [aScanRow({ seriesUID: '2.25.201', patientName: 'Example, Jonas' })]]
  const page = answer(scan.list, ({ page: number }) => ({ rows: Number(number) === 2 ? second : first, total: 11 }))
  const { user, goTo, path } = renderScreen(<App notFound={<p>not found</p>} />, {
    at: '/scan',
    as: 'admin',
    answers: [
      page,
      answer(scan.get, aScan()),
      answer(scan.listStudies, { rows: [], total: 0 }),
      answer(scan.listShares, []),
      answer(scan.listHolds, { rows: [], total: 0 }),
      answer(scan.listDependents, { links: [], transfers: [] }),
      answer(audit.listActivity, { rows: [], total: 0 }),
      answer(scan.listTransfers, []),
      answer(scan.listFilters, []),
    ],
  })
  const tick = async (name: string) =>
    user.click(within(await screen.findByRole('row', { name: new RegExp(name) })).getByRole('checkbox'))
  await tick('Sample, Ruth')
  await user.click(await screen.findByRole('button', { name: 'Page 2' }))
  await user.click(await screen.findByRole('link', { name: /Example, Jonas/ }))
  await waitFor(() => expect(path()).toMatch(/^\/scan\/detail\//))
  await goTo(-1)
  await tick('Example, Jonas')
  expect(await screen.findByText('2 selected')).toBeVisible()
  await goTo('/scan/nowhere')
  await goTo('/scan')
  await screen.findByRole('row', { name: /Example, Jonas/ })
  expect(screen.queryByText(/\d selected$/)).toBeNull()
})
