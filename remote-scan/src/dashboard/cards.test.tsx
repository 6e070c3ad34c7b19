import { organization, scan } from '@dmp/contract'
import { aConflict, aHeldScan, aScanRow, northClinic, provider, southClinic } from '@dmp/contract/examples'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { ConflictsCard } from './ConflictsCard.tsx'
import { HeldCard } from './HeldCard.tsx'
import { NewestScansCard } from './NewestScansCard.tsx'
import { StorageCard } from './StorageCard.tsx'

describe('newest scans', () => {
  it('are those of the own organization, each a link to its detail', async () => {
    const { calls } = renderScreen(<NewestScansCard />, {
      at: '/dashboard',
      answers: [
        answer(scan.list, { rows: [aScanRow(), aScanRow({ seriesUID: '2.25.201', imageSetID: null })], total: 2 }),
      ],
    })
    expect(await screen.findByRole('link', { name: 'Sample, Ruth' })).toHaveAttribute(
      'href',
      `/scan/detail/${northClinic.id}/2.25.200`,
    )
    expect(screen.getAllByRole('listitem')).toHaveLength(1)
    expect(calls(scan.list)).toMatchObject([
      { organizationId: northClinic.id, page: '1', pageSize: '5', sort: 'uploadDateTime', direction: 'desc' },
    ])
  })

  it('are those of a customer for the provider, never of the provider itself nor of one without a datastore', async () => {
    const { calls } = renderScreen(<NewestScansCard />, {
      at: '/dashboard',
      as: 'super_admin',
      answers: [
        answer(organization.listActivated, [provider, { ...northClinic, hasDatastore: false }, southClinic]),
        answer(scan.list, { rows: [], total: 0 }),
      ],
    })
    expect(await screen.findByText('No scans yet.')).toBeVisible()
    expect(screen.getByText('South-Clinic')).toBeVisible()
    expect(calls(scan.list)).toMatchObject([{ organizationId: southClinic.id }])
  })
})

it('says what is stored', async () => {
  renderScreen(<StorageCard />, {
    at: '/dashboard',
    answers: [answer(scan.getStorage, { scans: 1, images: 2050, bytes: 1_530_000_000 })],
  })
  expect(await screen.findByText('1.5 GB')).toBeVisible()
  expect(screen.getByText('1 scan with 2,050 images')).toBeVisible()
})

describe('conflicts', () => {
  it('are counted, with the way to their list', async () => {
    const { calls } = renderScreen(<ConflictsCard />, {
      at: '/dashboard',
      as: 'admin',
      answers: [answer(scan.listConflicts, { rows: [aConflict()], total: 3 })],
    })
    expect(await screen.findByText('3')).toBeVisible()
    expect(screen.getByText('conflicts wait for a decision.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'All conflicts' })).toHaveAttribute('href', '/scan/conflicts')
    expect(calls(scan.listConflicts)).toMatchObject([{ organizationId: northClinic.id, state: 'open' }])
  })
})

describe('held pictures', () => {
  it.each([
    [3, 'scans wait for a look at the pictures.'],
    [1, 'scan waits for a look at the pictures.'],
  ])('of %i scans are counted, with the way to them [P36]', async (total, sentence) => {
    const { calls } = renderScreen(<HeldCard />, {
      at: '/dashboard',
      as: 'admin',
      answers: [answer(scan.listHeld, { rows: [aHeldScan()], total })],
    })
    expect(await screen.findByText(String(total))).toBeVisible()
    expect(screen.getByText(sentence)).toBeVisible()
    expect(screen.getByRole('link', { name: 'All held pictures' })).toHaveAttribute('href', '/scan/held')
    expect(calls(scan.listHeld)).toEqual([{ organizationId: northClinic.id, page: '1', pageSize: '1' }])
  })

  it('say so when none wait, and of whom for the provider', async () => {
    renderScreen(<HeldCard />, {
      at: '/dashboard',
      as: 'super_admin',
      answers: [answer(organization.listActivated, [southClinic]), answer(scan.listHeld, { rows: [], total: 0 })],
    })
    expect(await screen.findByText('No pictures wait for a look.')).toBeVisible()
    expect(screen.getByText('South-Clinic')).toBeVisible()
  })
})
