import { scan } from '@dmp/contract'
import { aScanRow, anId } from '@dmp/contract/examples'
import { CallError, refresh } from '@dmp/kit'
import { answer, renderScreen } from '@dmp/kit/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { DataTable } from './index.ts'

const north = anId(1)
const south = anId(2)

function Chosen() {
  const [organizationId, choose] = useState(north)
  return (
    <>
      <button type="button" onClick={() => choose(south)}>
        South
      </button>
      <DataTable
        endpoint={scan.list}
        input={{ organizationId }}
        columns={[{ title: 'Description', field: 'seriesDescription' }]}
        label="Scans"
        rowKey={(row) => row.seriesUID}
        rowLink={(row) => `/scan/detail/${organizationId}/${row.seriesUID}`}
        searchField="query"
      />
    </>
  )
}

it('never shows the rows of one organization under the name of another [2.58, P02]', async () => {
  const rows = { rows: [aScanRow({ seriesDescription: 'Knee of North' })], total: 1 }
  const { user } = renderScreen(<Chosen />, {
    at: '/scan',
    answers: [
      answer(scan.list, ({ organizationId }) =>
        organizationId === north ? rows : new Promise<never>(() => undefined),
      ),
    ],
  })
  await screen.findByRole('link', { name: 'Knee of North' })
  await user.click(screen.getByRole('button', { name: 'South' }))
  expect(screen.queryByRole('link', { name: 'Knee of North' })).not.toBeInTheDocument()
  expect(screen.getByRole('table', { name: 'Scans' })).toHaveAttribute('aria-busy', 'true')
})

it('begins at the first page of another list [4.16]', async () => {
  const rows = [aScanRow({ seriesDescription: 'Knee' })]
  const { user, path, calls } = renderScreen(<Chosen />, {
    at: '/scan?page=3',
    answers: [answer(scan.list, { rows, total: 60 })],
  })
  await screen.findByRole('link', { name: 'Knee' })
  await user.click(screen.getByRole('button', { name: 'South' }))
  await waitFor(() => expect(path()).toContain('page=1'))
  await waitFor(() => expect(calls(scan.list).at(-1)).toMatchObject({ organizationId: south, page: '1' }))
})

it('shows no rows of one organization under the name of another when the line is lost either [2.58, P02, P28]', async () => {
  const rows = { rows: [aScanRow({ seriesDescription: 'Knee of North' })], total: 1 }
  const { user } = renderScreen(<Chosen />, {
    at: '/scan',
    answers: [
      answer(scan.list, ({ organizationId }) =>
        organizationId === north ? rows : new CallError(0, 'UNREACHABLE', 'The server cannot be reached right now.'),
      ),
    ],
  })
  await screen.findByRole('link', { name: 'Knee of North' })
  await user.click(screen.getByRole('button', { name: 'South' }))
  expect(await screen.findByRole('alert', {}, { timeout: 5000 })).toHaveTextContent('The server cannot be reached')
  expect(screen.queryByRole('link', { name: 'Knee of North' })).not.toBeInTheDocument()
  expect(screen.queryByText(/from before the connection was lost/)).not.toBeInTheDocument()
})

it('begins at the first page when rows come where there were none [4.16]', async () => {
  let total = 0
  const { path } = renderScreen(<Chosen />, {
    at: '/scan?page=3',
    answers: [answer(scan.list, () => ({ rows: total > 0 ? [aScanRow({ seriesDescription: 'Knee' })] : [], total }))],
  })
  expect(await screen.findByText('No record found.')).toBeVisible()
  total = 60
  act(() => refresh([scan.list]))
  await waitFor(() => expect(path()).toContain('page=1'))
})
