import { audit, businessUser } from '@dmp/contract'
import { aUser, anAuditDetail, anAuditRow, anId } from '@dmp/contract/examples'
import { answer, renderScreen } from '@dmp/kit/testing'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { App } from '../App.tsx'

const answers = [
  answer(audit.list, { rows: [anAuditRow()], total: 1 }),
  answer(audit.listEvents, ['ScanViewed', 'SignInFailed']),
  answer(audit.getLastCheck, { check: null }),
]

describe('whom a record is about', () => {
  const affected = { id: anId(77), fullName: 'Mr Noah Weber', email: 'noah@north.example' }
  const record = {
    at: '2026-05-05T09:00:07.000Z',
    event: 'UserDeactivated',
    subject: [{ key: 'userId', value: affected.id }],
    affected,
  }

  it('is a way to that person, in the list and on its page, where the id stays [P24]', async () => {
    const { goTo } = renderScreen(<App notFound={null} />, {
      at: '/audit',
      as: 'admin',
      answers: [
        ...answers,
        answer(audit.list, { rows: [anAuditRow(record)], total: 1 }),
        answer(audit.get, anAuditDetail(record)),
      ],
    })
    const way = () => screen.findByRole('link', { name: 'Mr Noah Weber' })
    expect(await way()).toHaveAttribute('href', `/user/detail/${affected.id}`)
    await goTo('/audit/detail/00000000-0000-4000-9000-00000000003c')
    expect(await screen.findByText(affected.id)).toBeVisible()
    expect(screen.getByText(affected.email)).toBeVisible()
    expect(await way()).toHaveAttribute('href', `/user/detail/${affected.id}`)
  })

  it('is in the file by name and address beside the id, and the time has its seconds on the page', async () => {
    const files: Blob[] = []
    URL.createObjectURL = (file: Blob) => `blob:${files.push(file)}`
    const row = anAuditRow(record)
    const { user } = renderScreen(<App notFound={null} />, {
      at: '/audit',
      as: 'admin',
      answers: [...answers, answer(audit.list, { rows: [row], total: 1 }), answer(audit.exportRows, [row])],
    })
    expect(await screen.findByText(/:\d\d:07 [ap]m/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: /export/i }))
    await screen.findByText('1 rows exported.')
    const reader = new FileReader()
    reader.readAsText(files[0] ?? new Blob())
    await waitFor(() => expect(reader.result).toContain(`${affected.id} (Mr Noah Weber, noah@north.example)`))
    expect(reader.result).toContain('2026-05-05T09:00:07.000Z')
  })

  it('can be asked for by the address of the list', async () => {
    const { calls, user, path } = renderScreen(<App notFound={null} />, {
      at: `/audit?affected=${anId(7)}`,
      as: 'admin',
      answers: [...answers, answer(businessUser.get, aUser('staff', { fullName: 'Ms Ada Berg' }))],
    })
    expect(await screen.findByRole('link', { name: 'Ms Ada Berg' })).toHaveAttribute('href', `/user/detail/${anId(7)}`)
    expect(screen.getByText(/^Records about the account of/)).toBeVisible()
    expect({ ...calls(audit.list).at(-1) }).toMatchObject({ affectedId: anId(7) })
    await user.click(screen.getByRole('button', { name: 'Show all records' }))
    await waitFor(() => expect(path()).toBe('/audit'))
    expect({ ...calls(audit.list).at(-1) }).not.toHaveProperty('affectedId')
  })
})

describe('the audit list', () => {
  it('is of the days from one to another, both whole, and of all again without the choice', async () => {
    const { user, path, calls } = renderScreen(<App notFound={null} />, { at: '/audit', as: 'admin', answers })
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Period' }), 'Chosen days')
    fireEvent.change(await screen.findByLabelText('From'), { target: { value: '2026-05-04' } })
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-05-05' } })
    await waitFor(() =>
      expect(calls(audit.list).at(-1)).toMatchObject({
        from: new Date('2026-05-04T00:00').toISOString(),
        to: new Date('2026-05-06T00:00').toISOString(),
      }),
    )
    expect(path()).toContain('period=days&fromDay=2026-05-04&toDay=2026-05-05')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Period' }), 'Any time')
    await waitFor(() => expect(path()).toBe('/audit'))
    expect(screen.queryByLabelText('From')).toBeNull()
  })
})
