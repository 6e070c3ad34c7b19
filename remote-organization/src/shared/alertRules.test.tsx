import { organization } from '@dmp/contract'
import { anOrganization, aReadiness } from '@dmp/contract/examples'
import { defaultAlertRules, type AlertRules } from '@dmp/contract/organization'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, within } from '@testing-library/react'
import { App } from '../App.tsx'

const item = anOrganization()
const rules: AlertRules = { ...defaultAlertRules, timeZone: 'Europe/Berlin' }
const changed: AlertRules = { ...rules, patients: 80, outOfHours: true, days: ['Monday', 'Saturday'] }
const render = (as: 'admin' | 'super_admin' = 'admin', now = rules) =>
  renderScreen(<App notFound={null} />, {
    at: '/account/organization',
    as,
    answers: [
      answer(organization.get, item),
      answer(organization.datastoreExists, { organizationExists: true }),
      answer(organization.getReadiness, aReadiness()),
      answer(organization.getLogo, null),
      answer(organization.getAlertRules, now),
      answer(organization.setAlertRules, changed),
    ],
  })
const findSection = () => screen.findByRole('region', { name: 'Alerts about looks at patients' })

describe('the rules for alerts', () => {
  it('are said in words, and set by an administrator [P72]', async () => {
    const { user, calls } = render()
    const section = within(await findSection())
    expect(section.getByText('More than 60 different patients within 60 minutes')).toBeVisible()
    expect(section.getByRole('link', { name: 'Past alerts' })).toHaveAttribute('href', '/audit/alerts')
    await user.click(section.getByRole('button', { name: 'Change rules' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Rules for alerts' }))
    const patients = dialog.getByRole('textbox', { name: 'More than so many different patients' })
    await user.clear(patients)
    await user.type(patients, '80')
    const hours = within(dialog.getByRole('group', { name: 'Out of hours' }))
    await user.click(hours.getByRole('checkbox', { name: 'Tell of it' }))
    for (const day of ['Tue', 'Wed', 'Thu', 'Fri', 'Sat']) await user.click(hours.getByRole('checkbox', { name: day }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Rules saved')).toBeInTheDocument()
    expect(calls(organization.setAlertRules)).toEqual([{ id: item.id, ...changed }])
    expect(await section.findByText('3 patients outside of Mon, Sat, 07:00–19:00 (Europe/Berlin)')).toBeVisible()
  })

  it('say at the field what cannot be, and keep what was typed [P72]', async () => {
    const { user, calls } = render()
    await user.click(within(await findSection()).getByRole('button', { name: 'Change rules' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Rules for alerts' }))
    const minutes = dialog.getByRole('textbox', { name: 'Within so many minutes' })
    await user.clear(minutes)
    await user.type(minutes, '2')
    await user.tab()
    expect(await dialog.findByText('Write a whole number from 5 to 1440.')).toBeVisible()
    expect(minutes).toHaveValue('2')
    expect(calls(organization.setAlertRules)).toEqual([])
  })

  it('are said to be off each, and what one patient alone brings', async () => {
    const { unmount } = render('admin', { ...rules, manyPatients: false, outOfHours: false, ownName: false })
    expect(within(await findSection()).getAllByText('Off')).toHaveLength(3)
    unmount()
    render('admin', { ...rules, outOfHours: true, outOfHoursPatients: 1, days: ['Sunday'], until: '24:00' })
    const section = within(await findSection())
    expect(section.getByText('A patient outside of Sun, 07:00–24:00 (Europe/Berlin)')).toBeVisible()
    expect(section.queryByText('Off')).toBeNull()
  })

  it('need a day, and an end that is later than their beginning', async () => {
    const { user, calls } = render('admin', { ...rules, days: ['Monday'], from: '07:00', until: '19:00' })
    await user.click(within(await findSection()).getByRole('button', { name: 'Change rules' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Rules for alerts' }))
    const set = async (name: string, value: string) => {
      const field = dialog.getByRole('textbox', { name })
      await user.clear(field)
      await user.type(field, value)
      await user.tab()
    }
    const save = () => dialog.getByRole('button', { name: 'Save' })
    await set('Until', '07:00')
    expect(await dialog.findByText('The end of a day comes after its beginning.')).toBeVisible()
    expect(save()).toBeDisabled()
    await set('Until', '07:01')
    await user.click(dialog.getByRole('checkbox', { name: 'Mon' }))
    await user.tab()
    expect(await dialog.findByText('Choose at least one day.')).toBeVisible()
    expect(save()).toBeDisabled()
    expect(calls(organization.setAlertRules)).toEqual([])
  })
})
