import { audit, businessUser } from '@dmp/contract'
import { aUser, anAccessAlert, anActivity, anId, northClinic } from '@dmp/contract/examples'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const open = anAccessAlert()
const done = anAccessAlert({
  acknowledgedDate: '2026-05-06T08:00:00.000Z',
  acknowledgedBy: 'Dr Otto Kern',
  note: 'A teaching list.',
})
const answers = [
  answer(audit.listAlerts, { rows: [open], total: 1 }),
  answer(audit.getAlert, open),
  answer(audit.listActivity, { rows: [anActivity()], total: 1 }),
  answer(businessUser.get, aUser('staff')),
]

describe('alerts', () => {
  it('mark what is open otherwise than what was looked into', async () => {
    const both = [answer(audit.listAlerts, { rows: [open, { ...done, id: anId(9) }], total: 2 })]
    renderScreen(<App notFound={null} />, { at: '/audit/alerts', as: 'admin', answers: both })
    const table = within(await screen.findByRole('table', { name: 'Alerts' }))
    expect(await table.findByText('Open')).toHaveClass('dmp-badge--warning')
    expect(table.getByText('Looked into')).toHaveClass('dmp-badge--success')
  })

  it('can be seen all again, and have words for a rule that only a newer server knows', async () => {
    const strange = anAccessAlert({ rule: 'NewRule' as typeof open.rule })
    const { user, path, calls } = renderScreen(<App notFound={null} />, {
      at: '/audit/alerts?state=open&page=2',
      as: 'admin',
      answers: [answer(audit.listAlerts, { rows: [strange], total: 11 })],
    })
    expect(await screen.findByText('Another rule')).toBeVisible()
    await user.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'All')
    await waitFor(() => expect(calls(audit.listAlerts).at(-1)).not.toHaveProperty('state'))
    expect(path()).not.toMatch(/state=|page=/)
  })

  it('name a person without a way to them for those who may not look at people', async () => {
    const policy = aUser('admin').policy.filter((entry) => entry.module !== 'BusinessUser')
    renderScreen(<App notFound={null} />, { at: `/audit/alerts/${open.id}`, as: 'admin', user: { policy }, answers })
    expect((await screen.findByText('Person')).nextElementSibling).toHaveTextContent('Ms Ada Berg')
    expect(screen.queryByRole('link', { name: 'Ms Ada Berg' })).toBeNull()
  })

  it('say who, what and how many, can be narrowed to open ones, and open [P72]', async () => {
    const { user, path, calls } = renderScreen(<App notFound={null} />, { at: '/audit/alerts', as: 'admin', answers })
    const table = within(await screen.findByRole('table', { name: 'Alerts' }))
    const findRow = async () => (await table.findByText('Many patients in a short time')).closest('tr') as HTMLElement
    const row = await findRow()
    for (const text of ['Ms Ada Berg', '74', 'Open']) expect(row).toHaveTextContent(text)
    await user.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'Open')
    await waitFor(() => expect(calls(audit.listAlerts).at(-1)).toMatchObject({ state: 'open' }))
    expect(path()).toBe('/audit/alerts?state=open')
    await user.click(within(await findRow()).getByRole('link'))
    expect(path()).toBe(`/audit/alerts/${open.id}`)
  })

  it('show exactly what they count, here and in the audit [P72]', async () => {
    const { calls } = renderScreen(<App notFound={null} />, { at: `/audit/alerts/${open.id}`, as: 'admin', answers })
    expect(await screen.findByText('Sample, Ruth')).toBeVisible()
    const span = { from: open.firstDate, to: '2026-05-05T09:40:00.001Z', opened: 'only' }
    expect(calls(audit.listActivity)[0]).toMatchObject({
      actorId: open.userId,
      organizationId: northClinic.id,
      ...span,
    })
    const link = screen.getByRole('link', { name: 'Records in the audit' })
    const { pathname, searchParams } = new URL(link.getAttribute('href') ?? '', 'http://localhost')
    expect([pathname, Object.fromEntries(searchParams)]).toEqual([
      '/audit',
      { person: open.userId, organization: northClinic.id, ...span },
    ])
  })

  it('are looked into with a note, which stays [P72]', async () => {
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at: `/audit/alerts/${open.id}`,
      as: 'admin',
      answers: [...answers, answer(audit.acknowledgeAlert, done)],
    })
    await user.click(await screen.findByRole('button', { name: 'Looked into…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Looked into' }))
    await user.type(dialog.getByRole('textbox', { name: 'What you found out' }), 'A teaching list.')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Dr Otto Kern')).toBeVisible()
    expect(screen.getByText('A teaching list.')).toBeVisible()
    expect(calls(audit.acknowledgeAlert)).toEqual([{ id: open.id, note: 'A teaching list.' }])
    expect(screen.queryByRole('button', { name: 'Looked into…' })).toBeNull()
  })
})

it('the audit is asked for exactly what an alert counts, and says so [P72]', async () => {
  const from = open.firstDate
  const { calls, user, path } = renderScreen(<App notFound={null} />, {
    at: `/audit?person=${open.userId}&organization=${northClinic.id}&from=${from}&to=${open.lastDate}&opened=only`,
    as: 'admin',
    answers: [
      ...answers,
      answer(audit.list, { rows: [], total: 0 }),
      answer(audit.listEvents, []),
      answer(audit.getLastCheck, { check: null }),
    ],
  })
  await waitFor(() =>
    expect(calls(audit.list).at(-1)).toMatchObject({ actorId: open.userId, from, to: open.lastDate, opened: 'only' }),
  )
  await user.click(await screen.findByRole('button', { name: 'Show all records' }))
  await waitFor(() => expect(path()).toBe('/audit'))
})
