import { audit, businessUser, scan } from '@dmp/contract'
import { aStudy, aUser, anAuditDetail, anAuditRow, anId, northClinic } from '@dmp/contract/examples'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const answers = [
  answer(audit.list, { rows: [anAuditRow()], total: 1 }),
  answer(audit.listEvents, ['ScanViewed', 'SignInFailed']),
  answer(audit.get, anAuditDetail()),
  answer(audit.getLastCheck, { check: null }),
]

describe('audit list', () => {
  it('says who did what to what, and opens the event [P24]', async () => {
    const { user, path } = renderScreen(<App notFound={null} />, { at: '/audit', as: 'admin', answers })
    const table = await screen.findByRole('table', { name: 'Audit' })
    const row = (await within(table).findByText('Scan viewed')).closest('tr') as HTMLElement
    expect(row).toHaveTextContent('Ms Ada Berg')
    expect(row).toHaveTextContent('Series: 2.25.200')
    await user.click(within(row).getByRole('link'))
    expect(path()).toBe('/audit/detail/00000000-0000-4000-9000-00000000003c')
    expect(await screen.findByText('Sequence')).toBeInTheDocument()
  })

  it('has the email in its column chooser, and shortens what is about much [P24]', async () => {
    const about = (uid: number, rows: number) =>
      anAuditRow({
        id: anId(100 * uid + rows),
        subject: [
          { key: 'studyUID', value: '1'.repeat(uid) },
          { key: 'rows', value: '2'.repeat(rows) },
        ],
      })
    renderScreen(<App notFound={null} />, {
      at: '/audit',
      as: 'admin',
      answers: [...answers, answer(audit.list, { rows: [about(64, 41), about(64, 42), about(65, 1)], total: 3 })],
    })
    const table = within(await screen.findByRole('table', { name: 'Audit' }))
    const cells = await table.findAllByText(/^Study: /)
    expect(cells.map(({ textContent }) => textContent)).toEqual([
      `Study: ${'1'.repeat(64)}, Rows: ${'2'.repeat(41)}`,
      `Study: ${'1'.repeat(64)}, Rows: ${'2'.repeat(40)}…`,
      `Study: ${'1'.repeat(65)}, Rows: 2`,
    ])
    expect(table.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
      'Time',
      'Event',
      'Outcome',
      'Person',
      'Organization',
      'Details',
      'Address',
    ])
    expect(screen.getByRole('navigation', { name: 'Breadcrumb' })).toHaveTextContent('List')
  })

  it('speaks of what an event is about in words, without ids and flags of the record', async () => {
    const rows = [
      anAuditRow({
        id: anId(1),
        event: 'ScansQueried',
        subject: [
          { key: 'page', value: '1' },
          { key: 'isSearch', value: 'false' },
        ],
      }),
      anAuditRow({
        id: anId(2),
        event: 'ScanShared',
        subject: [
          { key: 'shareId', value: anId(3) },
          { key: 'seriesUID', value: '1.2.826.0.1.3680043.8.498.12345678901234567890' },
          { key: 'hasPassword', value: 'true' },
          { key: 'maxUses', value: 'null' },
        ],
      }),
    ]
    renderScreen(<App notFound={null} />, {
      at: '/audit?lists=shown',
      as: 'admin',
      answers: [...answers, answer(audit.list, { rows, total: 2 })],
    })
    const table = within(await screen.findByRole('table', { name: 'Audit' }))
    expect(await table.findByText('List, page 1')).toBeVisible()
    expect(table.getByText('Series: …\u206034567890, Password: Yes')).toBeVisible()
  })

  it('names three of the series of an upload, and how many more there are [P24]', async () => {
    const series = ['1', '2', '3', '4', '5'].map((digit) => `1.2.826.0.1.3680043.${digit.repeat(12)}`)
    const about = (count: number) =>
      anAuditRow({
        id: anId(count),
        event: 'ScansUploaded',
        subject: [{ key: 'series', value: series.slice(0, count).join(', ') }],
      })
    renderScreen(<App notFound={null} />, {
      at: '/audit',
      as: 'admin',
      answers: [...answers, answer(audit.list, { rows: [about(3), about(5)], total: 2 })],
    })
    const cells = await within(await screen.findByRole('table', { name: 'Audit' })).findAllByText(/: …/)
    for (const link of screen.getAllByRole('link', { name: /^Scans uploaded, / }))
      expect(link.getAttribute('aria-label')?.length).toBeLessThan(220)
    const three = '…\u206011111111, …\u206022222222, …\u206033333333'
    expect(cells.map(({ textContent }) => textContent?.replace(/^[^:]*: /, ''))).toEqual([three, `${three} and 2 more`])
  })

  it('leaves views of lists out until somebody wants to see them', async () => {
    const { user, path, calls } = renderScreen(<App notFound={null} />, { at: '/audit', as: 'admin', answers })
    await screen.findByText('Scan viewed', { selector: 'td *, td' })
    expect(calls(audit.list)).toMatchObject([{ lists: 'hidden' }])
    await user.selectOptions(screen.getByRole('combobox', { name: 'Views of lists' }), 'Shown')
    await waitFor(() => expect(calls(audit.list).at(-1)).not.toHaveProperty('lists'))
    expect(path()).toContain('lists=shown')
  })

  it('asks for the last days by the time that they began, and goes back past all filters at once', async () => {
    const { user, path, goTo, calls } = renderScreen(<App notFound={<p>nothing there</p>} />, {
      at: '/nowhere',
      as: 'admin',
      answers,
    })
    await goTo('/audit')
    const before = Date.now()
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Period' }), 'Last 7 days')
    await waitFor(() => expect(calls(audit.list).at(-1)).toMatchObject({ from: expect.any(String) }))
    const days = (time: number) => (time - Date.parse(String(calls(audit.list).at(-1)?.from))) / 86_400_000
    expect(days(before)).toBeLessThanOrEqual(7)
    expect(days(Date.now())).toBeGreaterThanOrEqual(7)
    await goTo(-1)
    expect(path()).toBe('/nowhere')
  })

  it.each([
    ['Event', 'Sign in failed'],
    ['Outcome', 'Refused'],
    ['Period', 'Last 7 days'],
    ['Views of lists', 'Shown'],
  ])('begins at its first page again with another choice of %s', async (filter, choice) => {
    const many = answer(audit.list, { rows: [anAuditRow()], total: 99 })
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at: '/audit?page=3',
      as: 'super_admin',
      answers: [...answers, many],
    })
    await screen.findByRole('option', { name: 'Sign in failed' })
    await waitFor(() => expect(calls(audit.list).at(-1)).toMatchObject({ page: '3' }))
    await user.selectOptions(screen.getByRole('combobox', { name: filter }), choice)
    await waitFor(() => expect(calls(audit.list).at(-1)).toMatchObject({ page: '1' }))
  })

  it('keeps the filters in the address and asks the server for them', async () => {
    const { user, path, calls } = renderScreen(<App notFound={null} />, {
      at: '/audit?period=7',
      as: 'super_admin',
      answers,
    })
    await screen.findByRole('option', { name: 'Sign in failed' })
    await user.selectOptions(screen.getByRole('combobox', { name: 'Event' }), 'Sign in failed')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Outcome' }), 'Refused')
    await waitFor(() =>
      expect(calls(audit.list).at(-1)).toMatchObject({
        event: 'SignInFailed',
        outcome: 'refused',
        from: expect.any(String),
      }),
    )
    expect(path()).toContain('period=7')
    expect(path()).toContain('event=SignInFailed')
  })

  it('exports by the recorded call what the list shows, views of lists only where they are shown', async () => {
    URL.createObjectURL = () => 'blob:export'
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at: '/audit?outcome=refused',
      as: 'admin',
      answers: [...answers, answer(audit.exportRows, [anAuditRow()])],
    })
    await within(await screen.findByRole('table', { name: 'Audit' })).findByText('Scan viewed')
    await user.click(screen.getByRole('button', { name: /export/i }))
    await waitFor(() => expect(calls(audit.exportRows)).toEqual([{ outcome: 'refused', lists: 'hidden' }]))
    await screen.findByText('1 rows exported.')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Views of lists' }), 'Shown')
    await user.click(screen.getByRole('button', { name: /export/i }))
    await waitFor(() => expect(calls(audit.exportRows).at(-1)).toEqual({ outcome: 'refused' }))
  })
})

it('exports UIDs and ids whole, which the list shortens or leaves out [P24]', async () => {
  const files: Blob[] = []
  URL.createObjectURL = (file: Blob) => `blob:${files.push(file)}`
  const seriesUID = '1.2.826.0.1.3680043.8.498.11846705212813761127188881927499956984'
  const row = anAuditRow({
    subject: [
      { key: 'seriesUID', value: seriesUID },
      { key: 'userId', value: anId(77) },
    ],
  })
  const { user } = renderScreen(<App notFound={null} />, {
    at: '/audit',
    as: 'admin',
    answers: [...answers, answer(audit.list, { rows: [row], total: 1 }), answer(audit.exportRows, [row])],
  })
  expect(await screen.findByText(/…\u206099956984$/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: /export/i }))
  await screen.findByText('1 rows exported.')
  const reader = new FileReader()
  reader.readAsText(files[0] ?? new Blob())
  await waitFor(() => expect(reader.result).toContain(seriesUID))
  expect(reader.result).toContain(anId(77))
})

describe('records about somebody', () => {
  const patient = aStudy({ studyUID: '2.25.100', patientName: 'Sample, Ruth', patientID: 'P-1' })
  const withStudies = [...answers, answer(scan.listStudies, { rows: [patient], total: 1 })]
  const lastInput = (input: Record<string, unknown> | undefined) => ({ ...input })

  it('are found by what the patient is called among the scans, since records name nobody [P23, P24]', async () => {
    const { user, path, calls } = renderScreen(<App notFound={null} />, {
      at: '/audit',
      as: 'admin',
      answers: withStudies,
    })
    await user.click(await screen.findByRole('button', { name: 'Records about a patient…' }))
    await user.type(screen.getByRole('searchbox', { name: 'Name, ID or study of the patient' }), 'ruth')
    await user.click(await screen.findByRole('button', { name: /Sample, Ruth/ }))
    await waitFor(() =>
      expect(lastInput(calls(audit.list).at(-1))).toMatchObject({
        organizationId: northClinic.id,
        studyUID: '2.25.100',
        isPatient: 'true',
      }),
    )
    expect(await screen.findByRole('link', { name: 'Sample, Ruth ID P-1' })).toHaveAttribute(
      'href',
      `/scan/patient/${northClinic.id}/2.25.100`,
    )
    expect(path()).not.toMatch(/ruth|P-1/i)
    await user.click(screen.getByRole('button', { name: 'Show all records' }))
    await waitFor(() => expect(path()).toBe('/audit'))
    expect(await screen.findByRole('button', { name: 'Records about a patient…' })).toBeVisible()
  })

  it('of a study and of a person are asked for by their address', async () => {
    const { goTo, calls } = renderScreen(<App notFound={null} />, {
      at: `/audit?organization=${northClinic.id}&study=2.25.100`,
      as: 'admin',
      answers: [...withStudies, answer(businessUser.get, aUser('staff', { fullName: 'Ms Ada Berg' }))],
    })
    expect(await screen.findByRole('link', { name: /Sample, Ruth ID P-1/ })).toBeVisible()
    expect(lastInput(calls(audit.list).at(-1))).toMatchObject({ studyUID: '2.25.100' })
    expect(lastInput(calls(audit.list).at(-1))).not.toHaveProperty('isPatient')
    await goTo(`/audit?person=${anId(7)}`)
    expect(await screen.findByRole('link', { name: 'Ms Ada Berg' })).toHaveAttribute('href', `/user/detail/${anId(7)}`)
    expect(lastInput(calls(audit.list).at(-1))).toMatchObject({ actorId: anId(7) })
  })

  it('are not looked for here by people who see many organizations', async () => {
    renderScreen(<App notFound={null} />, { at: '/audit', as: 'super_admin', answers: withStudies })
    await screen.findByRole('table', { name: 'Audit' })
    expect(screen.queryByRole('button', { name: 'Records about a patient…' })).toBeNull()
  })
})

describe('audit detail', () => {
  it('shows dates as other pages do, and what was typed as it was typed [P24]', async () => {
    const instant = '2026-01-05T08:15:00.000Z'
    const subject = [
      { key: 'until', value: instant },
      { key: 'search', value: instant },
    ]
    renderScreen(<App notFound={null} />, {
      at: '/audit/detail/00000000-0000-4000-9000-00000000003c',
      as: 'admin',
      answers: [answer(audit.get, anAuditDetail({ subject })), answer(audit.getLastCheck, { check: null })],
    })
    expect(await screen.findByText(instant)).toBeVisible()
    expect(screen.getByText('Until').nextElementSibling).toHaveTextContent(/^2026-01-0\d, \d\d:\d\d [ap]m/)
  })

  it('warns when the record does not fit its chain [P24]', async () => {
    renderScreen(<App notFound={null} />, {
      at: '/audit/detail/00000000-0000-4000-9000-00000000003c',
      as: 'admin',
      answers: [answer(audit.get, anAuditDetail({ isIntact: false })), answer(audit.getLastCheck, { check: null })],
    })
    expect(await screen.findByRole('alert')).toHaveTextContent('The audit chain is broken at this record.')
  })
})

it('leaves an address that it does not know to the not-found page [2.37]', async () => {
  renderScreen(<App notFound={<p>nothing there</p>} />, { at: '/audit/bogus', as: 'super_admin' })
  expect(await screen.findByText('nothing there')).toBeVisible()
})
