import { organization, scan } from '@dmp/contract'
import { aConflict, aHeldScan, aScanRow, aStudy, northClinic, provider, southClinic } from '@dmp/contract/examples'
import type { OrganizationChoice } from '@dmp/contract/organization'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor } from '@testing-library/react'
import { rememberedOrganization } from '../shared/rememberedOrganization.ts'
import { ArrivalsCard } from './ArrivalsCard.tsx'
import { ConflictsCard } from './ConflictsCard.tsx'
import { HeldCard } from './HeldCard.tsx'
import { SharesCard } from './SharesCard.tsx'
import { StorageCard } from './StorageCard.tsx'
import { WorklistCard } from './WorklistCard.tsx'

describe('the worklist on the dashboard', () => {
  it('begins with the newest studies of the own organization, to open and to look at [2.09]', async () => {
    const open = jest.spyOn(window, 'open').mockReturnValue(null)
    const report = aScanRow({ seriesUID: '2.25.201', noOfImages: 0 })
    const { calls, user } = renderScreen(<WorklistCard />, {
      at: '/dashboard',
      answers: [
        answer(scan.listStudies, {
          rows: [
            aStudy({ description: 'MR Heart', isNew: true }),
            aStudy({ studyUID: '2.25.101', patientName: 'Example, Jonas', modalities: ['SR'], series: [report] }),
          ],
          total: 2,
        }),
      ],
    })
    expect(await screen.findByRole('link', { name: 'Sample, Ruth' })).toHaveAttribute(
      'href',
      `/scan/detail/${northClinic.id}/2.25.200`,
    )
    const [first, second] = screen.getAllByRole('listitem')
    expect(first).toHaveTextContent('Sample, Ruth NewP-1001MR Heart 2026-05-04')
    expect(second).toHaveTextContent('SR · Knee')
    await user.click(screen.getByRole('button', { name: 'View Sample, Ruth, MR Heart, 2026-05-04, P-1001' }))
    expect(open.mock.calls[0]?.[0]).toContain('2.25.200')
    expect(screen.getByRole('button', { name: /View Example, Jonas/ })).toBeDisabled()
    expect(screen.getByRole('link', { name: 'Open the worklist' })).toHaveAttribute('href', '/scan/worklist')
    expect(calls(scan.listStudies)).toMatchObject([
      { organizationId: northClinic.id, page: '1', sort: 'arrivedDate', direction: 'desc' },
    ])
    open.mockRestore()
  })

  it('is that of a customer for the provider, never of the provider itself nor of one without a datastore', async () => {
    const { calls } = renderScreen(<WorklistCard />, {
      at: '/dashboard',
      as: 'super_admin',
      answers: [
        answer(organization.listActivated, [provider, { ...northClinic, hasDatastore: false }, southClinic]),
        answer(scan.listStudies, { rows: [], total: 0 }),
      ],
    })
    expect(await screen.findByText('No studies yet.')).toBeVisible()
    expect(await screen.findByDisplayValue('South-Clinic')).toBeVisible()
    expect(calls(scan.listStudies)).toMatchObject([{ organizationId: southClinic.id }])
  })

  it('is chosen for all cards at once, and stays chosen', async () => {
    const { user, calls } = renderScreen(
      <>
        <WorklistCard />
        <StorageCard />
      </>,
      {
        at: '/dashboard',
        as: 'super_admin',
        answers: [
          answer(organization.listActivated, [northClinic, southClinic]),
          answer(scan.listStudies, { rows: [], total: 0 }),
          answer(scan.getStorage, { scans: 0, images: 0, bytes: 0 }),
        ],
      },
    )
    const choice = await screen.findByRole('combobox', { name: 'Organization' })
    expect(choice).toHaveDisplayValue('North-Clinic')
    await user.selectOptions(choice, 'South-Clinic')
    expect(await screen.findByText('South-Clinic', { selector: 'p' })).toBeVisible()
    expect(choice).toHaveFocus()
    await waitFor(() => expect(calls(scan.getStorage).at(-1)).toMatchObject({ organizationId: southClinic.id }))
    expect(calls(scan.listStudies).at(-1)).toMatchObject({ organizationId: southClinic.id })
    expect(rememberedOrganization.read()).toBe(southClinic.id)
  })

  it('stays that of the same customer when another is approved, also after a sign-out', async () => {
    const drawFor = (...customers: OrganizationChoice[]) =>
      renderScreen(<WorklistCard />, {
        at: '/dashboard',
        as: 'super_admin',
        answers: [answer(organization.listActivated, customers), answer(scan.listStudies, { rows: [], total: 0 })],
      })
    const { unmount } = drawFor(southClinic)
    expect(await screen.findByDisplayValue('South-Clinic')).toBeVisible()
    unmount()
    localStorage.removeItem('dataTableHistory')
    drawFor(northClinic, southClinic)
    expect(await screen.findByDisplayValue('South-Clinic')).toBeVisible()
    expect(screen.queryByDisplayValue('North-Clinic')).toBeNull()
  })
})

it('says what is stored', async () => {
  renderScreen(<StorageCard />, {
    at: '/dashboard',
    answers: [answer(scan.getStorage, { scans: 1, images: 2050, bytes: 1_530_000_000 })],
  })
  expect(await screen.findByText('1.5 GB')).toBeVisible()
  expect(screen.getByText('1 scan with 2,050 objects')).toBeVisible()
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

it.each([
  [0, 'Nothing contradicts what is stored.', null],
  [1, 'conflict waits for a decision.', '1'],
])('%d conflicts are said in words', async (total, said, number) => {
  renderScreen(<ConflictsCard />, {
    at: '/dashboard',
    as: 'admin',
    answers: [answer(scan.listConflicts, { rows: total === 0 ? [] : [aConflict()], total })],
  })
  expect(await screen.findByText(said)).toBeVisible()
  expect(screen.queryByText(/^\d+$/)?.textContent ?? null).toBe(number)
})

it('a study of which little is known has no name, no link and no picture in the worklist', async () => {
  renderScreen(<WorklistCard />, {
    at: '/dashboard',
    answers: [answer(scan.listStudies, { rows: [aStudy({ patientName: '', series: [], seriesCount: 0 })], total: 1 })],
  })
  expect(await screen.findByText('No name')).toBeVisible()
  expect(screen.queryByRole('link', { name: 'No name' })).toBeNull()
  const look = screen.getByRole('button', { name: /^View No name/ })
  expect(look).toBeDisabled()
  expect(look).toHaveAttribute('title', 'There is no picture to view')
})

it.each([
  [0, false],
  [1, true],
])('%d open links have a way to what they share: %s', async (open, isThere) => {
  renderScreen(<SharesCard />, {
    at: '/dashboard',
    answers: [answer(scan.countShares, { open, endSoon: 0, unopened: 0, isMore: open === 1 })],
  })
  expect(await screen.findByText(open === 1 ? '1+' : 'Open links')).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Shared studies' }) !== null).toBe(isThere)
})

it.each([
  [1.8e9, false],
  [1.801e9, true],
])('%d of 2 GB are a warning: %s', async (bytes, isWarning) => {
  renderScreen(<StorageCard />, {
    at: '/dashboard',
    answers: [answer(scan.getStorage, { scans: 1, images: 9, bytes, quotaBytes: 2e9 })],
  })
  const row = await screen.findByRole('row', { name: /^Of 2 GB/ })
  expect(row.querySelector('.dmp-bar--warning') !== null).toBe(isWarning)
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

describe('arrivals', () => {
  const day = (at: number) => `2026-11-${String(at).padStart(2, '0')}`
  const days = Array.from({ length: 14 }, (_, index) => ({ day: day(index + 1), studies: index }))

  it('say today, the week and the week before, each the way to those studies [P53]', async () => {
    const { calls } = renderScreen(<ArrivalsCard />, {
      at: '/dashboard',
      answers: [answer(scan.getArrivals, { days, modalities: [{ modality: 'CT', studies: 40 }], isMore: false })],
    })
    expect(await screen.findByRole('link', { name: 'Studies today: 13' })).toHaveAttribute(
      'href',
      '/scan/worklist?receivedFrom=2026-11-14&receivedTo=2026-11-14',
    )
    expect(screen.getByRole('link', { name: 'Last 7 days: 70' })).toHaveAttribute(
      'href',
      '/scan/worklist?receivedFrom=2026-11-08&receivedTo=2026-11-14',
    )
    expect(screen.getByText('Week before: 21')).toBeVisible()
    expect(screen.getByRole('link', { name: 'CT' })).toHaveAttribute(
      'href',
      '/scan/worklist?modality=CT&receivedFrom=2026-11-08&receivedTo=2026-11-14',
    )
    expect(calls(scan.getArrivals)).toMatchObject([{ organizationId: northClinic.id, timeZone: expect.any(String) }])
  })

  it('are a table, too, the newest day first [P53]', async () => {
    renderScreen(<ArrivalsCard />, {
      at: '/dashboard',
      answers: [answer(scan.getArrivals, { days, modalities: [], isMore: true })],
    })
    const table = await screen.findByRole('table', { name: 'Arrivals day by day', hidden: true })
    const rows = [...table.querySelectorAll('tbody tr')].map(({ textContent }) => textContent)
    expect(rows).toHaveLength(14)
    expect([rows[0], rows[13]]).toEqual(['2026-11-1413', '2026-11-010'])
    expect(screen.getByText('Only the newest 20,000 studies are counted.')).toBeVisible()
  })
})

it('says how many links work, the way to what they share [P53]', async () => {
  renderScreen(<SharesCard />, {
    at: '/dashboard',
    answers: [answer(scan.countShares, { open: 1200, endSoon: 2, unopened: 0, isMore: false })],
  })
  const studies = await screen.findByRole('link', { name: 'Shared studies' })
  expect(studies).toHaveAttribute('href', '/scan/worklist?isShared=true')
  // Two links of one study are two here, and one row there.
  expect(screen.queryByRole('link', { name: /1,200/ })).toBeNull()
  expect(screen.getByText('1,200')).toBeVisible()
})

it('says how full the storage is where there is a bound [P53]', async () => {
  renderScreen(<StorageCard />, {
    at: '/dashboard',
    answers: [answer(scan.getStorage, { scans: 9, images: 9, bytes: 1.8e9, quotaBytes: 2e9, complaintBytes: 0.1e9 })],
  })
  expect(await screen.findByRole('row', { name: 'Of 2 GB 95%' })).toBeVisible()
})
