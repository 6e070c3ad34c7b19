import { registration } from '@dmp/contract'
import { aRegistration } from '@dmp/contract/examples'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { PendingRegistrationsCard } from './PendingRegistrationsCard.tsx'

describe('new registrations', () => {
  it('lists who waits longest first, each a link [1.06]', async () => {
    const item = aRegistration()
    const { calls } = renderScreen(<PendingRegistrationsCard />, {
      at: '/dashboard',
      as: 'sys_admin',
      answers: [answer(registration.list, { rows: [item], total: 1 })],
    })
    expect(await screen.findByRole('link', { name: 'East-Clinic' })).toHaveAttribute(
      'href',
      `/registration/detail/${item.id}`,
    )
    expect(calls(registration.list)).toMatchObject([
      { status: 'New', page: '1', pageSize: '5', sort: 'createdDate', direction: 'asc' },
    ])
  })

  it.each([
    [5, 'All registrations', '/registration'],
    [6, '6 new registrations', '/registration?status=New'],
  ])('of %i in all leads on with %s', async (total, words, href) => {
    renderScreen(<PendingRegistrationsCard />, {
      at: '/dashboard',
      as: 'sys_admin',
      answers: [answer(registration.list, { rows: [aRegistration()], total })],
    })
    expect(await screen.findByRole('link', { name: words })).toHaveAttribute('href', href)
  })

  it('says when nobody waits', async () => {
    renderScreen(<PendingRegistrationsCard />, {
      at: '/dashboard',
      as: 'sys_admin',
      answers: [answer(registration.list, { rows: [], total: 0 })],
    })
    expect(await screen.findByText('No new registrations.')).toBeVisible()
  })
})
