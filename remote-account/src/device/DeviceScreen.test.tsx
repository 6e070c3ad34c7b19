import { apiToken } from '@dmp/contract'
import { aDevice } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const code = 'BCDF-GHJK'
const draw = (
  answers: readonly Line[] = [],
  { at = '/account/device', as = 'admin' as 'admin' | 'staff' | 'sys_admin' } = {},
) => renderScreen(<App notFound={null} />, { at, as, answers: [answer(apiToken.getDevice, aDevice()), ...answers] })

async function goOn(user: ReturnType<typeof draw>['user'], typed = code) {
  if (typed !== '') await user.type(await screen.findByRole('textbox', { name: 'Code' }), typed)
  await user.click(await screen.findByRole('button', { name: 'Continue' }))
}

describe('connecting a machine', () => {
  it('asks for the code that it shows, however it is typed, and says what asks [P45]', async () => {
    const { user, calls } = draw()
    expect(await screen.findByRole('button', { name: 'Continue' })).toBeDisabled()
    await goOn(user, 'bcdf ghjk')
    const facts = within(await screen.findByRole('region', { name: 'What asks' }))
    expect(calls(apiToken.getDevice)).toEqual([{ code: 'BCDFGHJK' }])
    for (const text of ['CT in room 3', 'dmp-uploader', 'Upload scans', '192.0.2.7'])
      expect(facts.getByText(text)).toBeVisible()
    expect(screen.getByText(/Approve only what you started yourself.*BCDF-GHJK/)).toBeVisible()
    await waitFor(() => expect(screen.getByRole('group', { name: 'Decide about the machine' })).toHaveFocus())
  })

  it('says which letters no code has, before it asks [P45]', async () => {
    const { user, calls } = draw()
    await user.type(await screen.findByRole('textbox', { name: 'Code' }), 'BCDO-FGHJ')
    await user.tab()
    expect(await screen.findByText(/such as BCDF-GHJK; A, E, I, O, U and Y are none of them/)).toBeVisible()
    expect(calls(apiToken.getDevice)).toEqual([])
  })

  it('takes the code from the address, and asks nothing before the person goes on [P45]', async () => {
    const { user, calls } = draw([], { at: `/account/device?code=${code}` })
    expect(await screen.findByRole('textbox', { name: 'Code' })).toHaveValue(code)
    expect(calls(apiToken.getDevice)).toEqual([])
    await goOn(user, '')
    expect(await screen.findByRole('heading', { name: 'What it may have' })).toBeVisible()
  })

  it('is approved with a name, scopes, an end, networks and the own password [P35, P45]', async () => {
    const { user, calls } = draw([
      answer(apiToken.getDevice, aDevice({ scopes: ['read', 'upload'] })),
      answer(apiToken.approveDevice, null),
    ])
    await goOn(user)
    const name = await screen.findByRole('textbox', { name: 'Name' })
    expect(name).toHaveValue('CT in room 3')
    await user.clear(name)
    await user.type(name, 'CT 3')
    expect(screen.queryByRole('checkbox', { name: 'Delete scans' })).not.toBeInTheDocument()
    await user.click(screen.getByRole('checkbox', { name: 'Search, view and download scans' }))
    await user.selectOptions(screen.getByLabelText('Expires after'), '365')
    await user.type(screen.getByLabelText('Networks (optional)'), '10.1.0.0/16')
    expect(screen.getByRole('button', { name: 'Approve' })).toBeDisabled()
    await user.type(screen.getByLabelText('Your password'), 'secret word')
    await user.click(screen.getByRole('button', { name: 'Approve' }))
    expect(await screen.findByText(/^CT 3 fetches its API token/)).toBeVisible()
    expect(calls(apiToken.approveDevice)).toEqual([
      {
        code: 'BCDFGHJK',
        name: 'CT 3',
        scopes: ['upload'],
        expireInDays: 365,
        addresses: ['10.1.0.0/16'],
        password: 'secret word',
      },
    ])
    expect(screen.getByRole('link', { name: 'Go to API tokens' })).toBeVisible()
  })

  it('is denied by one press, and another code can be entered [P45]', async () => {
    const { user, calls } = draw([answer(apiToken.denyDevice, null)])
    await goOn(user)
    await user.click(await screen.findByRole('button', { name: 'Deny' }))
    expect(await screen.findByText('Denied')).toBeVisible()
    expect(calls(apiToken.denyDevice)).toEqual([{ code: 'BCDFGHJK' }])
    await user.click(screen.getByRole('button', { name: 'Enter another code' }))
    expect(await screen.findByRole('textbox', { name: 'Code' })).toHaveValue('')
  })

  it('says at the field that no machine waits with the code [8.03, P45]', async () => {
    const message = 'No machine is waiting with this code.'
    const { user } = draw([
      answer(apiToken.getDevice, new CallError(400, 'WRONG_CODE', message, { fields: [{ path: 'code', message }] })),
    ])
    await goOn(user)
    await waitFor(() =>
      expect(screen.getByRole('textbox', { name: 'Code' })).toHaveAccessibleDescription(
        expect.stringContaining(message),
      ),
    )
  })

  it('says what a code looks like before anything is asked [5.18, P45]', async () => {
    const { user, calls } = draw()
    await user.type(await screen.findByRole('textbox', { name: 'Code' }), 'AEIO')
    await user.tab()
    expect(screen.getByText(/^The code has 8 letters/)).toBeVisible()
    expect(calls(apiToken.getDevice)).toEqual([])
  })

  it('gives nothing that the person does not have, and offers to deny [6.02, P45]', async () => {
    const { user } = draw([answer(apiToken.getDevice, aDevice({ scopes: ['delete'] }))], { as: 'sys_admin' })
    await goOn(user)
    expect(await screen.findByText(/^It asks for what you may not do yourself/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Approve' })).not.toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Deny' })).toBeEnabled()
  })

  it('says to people who may make no API tokens whom to ask [6.02, P45]', async () => {
    draw([], { as: 'staff' })
    expect(await screen.findByText(/^Administrators of your organization connect machines/)).toBeVisible()
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
  })
})
