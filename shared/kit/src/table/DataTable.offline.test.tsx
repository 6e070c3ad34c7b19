import * as complaint from '@dmp/contract/complaint'
import { CallError } from '@dmp/kit'
import { answer } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { createRows, draw } from '../testing/complaintTable.tsx'

describe('DataTable while the line is lost', () => {
  it('keeps its rows while the line is lost, and says that they are from before', async () => {
    let isOffline = false
    const { user } = draw([
      answer(complaint.list, ({ search }) =>
        isOffline
          ? new CallError(0, 'OFFLINE', 'You are offline.')
          : { rows: search ? [] : createRows(2), total: search ? 0 : 2 },
      ),
    ])
    await screen.findByRole('link', { name: 'C-002' })
    isOffline = true
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'hip{Enter}')
    expect(await screen.findByRole('alert', undefined, { timeout: 4000 })).toHaveTextContent(
      'The server cannot be reached right now.',
    )
    expect(screen.getByRole('link', { name: 'C-002' })).toBeVisible()
    expect(screen.getByText(/^These rows are from before the connection was lost/)).toBeVisible()
    isOffline = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('No record found with the filter term.')).toBeVisible()
    expect(screen.queryByText(/^These rows are from before/)).toBeNull()
  })

  it('loads by itself when the line is back', async () => {
    let isOffline = true
    draw([
      answer(complaint.list, () =>
        isOffline ? new CallError(0, 'OFFLINE', 'You are offline.') : { rows: createRows(1), total: 1 },
      ),
    ])
    await screen.findByRole('alert', undefined, { timeout: 4000 })
    isOffline = false
    window.dispatchEvent(new Event('offline'))
    window.dispatchEvent(new Event('online'))
    expect(await screen.findByRole('link', { name: 'C-001' })).toBeVisible()
  })
})
