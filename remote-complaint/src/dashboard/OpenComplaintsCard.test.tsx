import { complaint } from '@dmp/contract'
import { aComplaintRow } from '@dmp/contract/examples'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { OpenComplaintsCard } from './OpenComplaintsCard.tsx'

describe('open complaints', () => {
  it('lists the newest that are not resolved, each a link, and how many there are [1.04]', async () => {
    const row = aComplaintRow()
    const { calls } = renderScreen(<OpenComplaintsCard />, {
      at: '/dashboard',
      answers: [answer(complaint.list, { rows: [row], total: 12 })],
    })
    expect(await screen.findByRole('link', { name: 'C-000010 · Medium' })).toHaveAttribute(
      'href',
      `/complaint/detail/${row.id}`,
    )
    expect(screen.getByRole('link', { name: '12 open complaints' })).toHaveAttribute('href', '/complaint?state=open')
    expect(calls(complaint.list)).toMatchObject([
      { state: 'open', page: '1', pageSize: '5', sort: 'createdDate', direction: 'desc' },
    ])
  })

  it('counts them only where there are more than it lists', async () => {
    renderScreen(<OpenComplaintsCard />, {
      at: '/dashboard',
      answers: [answer(complaint.list, { rows: [aComplaintRow()], total: 5 })],
    })
    expect(await screen.findByRole('link', { name: 'All complaints' })).toHaveAttribute('href', '/complaint')
  })

  it('says when nothing is open', async () => {
    renderScreen(<OpenComplaintsCard />, {
      at: '/dashboard',
      answers: [answer(complaint.list, { rows: [], total: 0 })],
    })
    expect(await screen.findByText('No open complaints.')).toBeVisible()
  })
})
