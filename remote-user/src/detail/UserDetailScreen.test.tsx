import { audit, businessUser } from '@dmp/contract'
import { aUser, anId } from '@dmp/contract/examples'
import { toPolicy } from '@dmp/contract/policy'
import { CallError } from '@dmp/kit'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const item = aUser('staff', { id: anId(77), email: 'other@north.example' })
const off = { ...item, status: { ...item.status, status: 'Deactivated' as const } }
const at = `/user/detail/${item.id}`

const noActivity = answer(audit.listActivity, { rows: [], total: 0 })

describe('user detail', () => {
  it('shows who it is, since when and by whom activated [2.22, 2.61]', async () => {
    renderScreen(<App notFound={null} />, { at, as: 'admin', answers: [noActivity, answer(businessUser.get, item)] })
    expect(await screen.findByText('Staff User')).toBeInTheDocument()
    expect(screen.getByText('Ms Ada Berg', { selector: 'dd bdi' })).toBeInTheDocument()
    expect(screen.getByText('Activated')).toBeInTheDocument()
    expect(screen.getByText('Mr Otto Krug')).toBeInTheDocument()
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('deactivates after asking; the answer replaces what is shown [2.61, 4.03, 8.09]', async () => {
    let current = item as typeof item | typeof off
    const { user } = renderScreen(<App notFound={null} />, {
      at,
      as: 'admin',
      answers: [
        noActivity,
        answer(businessUser.get, () => current),
        answer(businessUser.deactivateUser, () => (current = off)),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'Deactivate User' }))
    await user.click(
      within(await screen.findByRole('dialog', { name: 'Deactivate User' })).getByRole('button', {
        name: 'Deactivate',
      }),
    )
    expect(await screen.findByText('Ms Ada Berg deactivated')).toBeInTheDocument()
    expect(await screen.findByRole('button', { name: 'Activate User' })).toBeInTheDocument()
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  it.each([
    ['takes that back', item, 'Ms Ada Berg activated', 'Deactivate User'],
    ['says why it cannot be taken back', new CallError(409, 'UNCHANGED', 'Already.'), 'Already.', 'Activate User'],
  ])('%s by Undo in its notice [4.03, 8.09]', async (_, reply, text, offered) => {
    let current = item as typeof item | typeof off
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at,
      as: 'admin',
      answers: [
        noActivity,
        answer(businessUser.get, () => current),
        answer(businessUser.deactivateUser, () => (current = off)),
        answer(businessUser.activateUser, () => {
          if (!(reply instanceof CallError)) current = reply
          return reply
        }),
      ],
    })
    await user.click(await screen.findByRole('button', { name: 'Deactivate User' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Deactivate User' }))
    await user.click(dialog.getByRole('button', { name: 'Deactivate' }))
    await screen.findByRole('button', { name: 'Activate User' })
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText(text)).toBeVisible()
    expect(await screen.findByRole('button', { name: offered })).toBeVisible()
    expect(calls(businessUser.activateUser)).toEqual([{ id: item.id }])
  })

  it('activates a deactivated user [4.03, 8.09]', async () => {
    const { user } = renderScreen(<App notFound={null} />, {
      at,
      as: 'admin',
      answers: [noActivity, answer(businessUser.get, off), answer(businessUser.activateUser, item)],
    })
    await user.click(await screen.findByRole('button', { name: 'Activate User' }))
    expect(await screen.findByText('Ms Ada Berg activated')).toBeInTheDocument()
  })

  it('offers a new temporary password only while the account is not confirmed [6.07, 8.09]', async () => {
    const fresh = { ...item, isConfirmed: false }
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at,
      as: 'admin',
      answers: [noActivity, answer(businessUser.get, fresh), answer(businessUser.resetTemporaryPassword, null)],
    })
    await user.click(await screen.findByRole('button', { name: 'Reset Temp Password' }))
    expect(await screen.findByText('Password sent successfully')).toBeInTheDocument()
    expect(calls(businessUser.resetTemporaryPassword)).toEqual([{ id: item.id }])
  })

  it('does not offer it once confirmed [6.07]', async () => {
    renderScreen(<App notFound={null} />, { at, as: 'admin', answers: [noActivity, answer(businessUser.get, item)] })
    await screen.findByRole('button', { name: 'Deactivate User' })
    expect(screen.queryByRole('button', { name: 'Reset Temp Password' })).not.toBeInTheDocument()
  })

  it('offers no temporary password to a deactivated user, who could not sign in with it [6.07]', async () => {
    const deactivated = { ...item, isConfirmed: false, status: { ...item.status, status: 'Deactivated' as const } }
    renderScreen(<App notFound={null} />, {
      at,
      as: 'admin',
      answers: [noActivity, answer(businessUser.get, deactivated)],
    })
    await screen.findByRole('button', { name: 'Activate User' })
    expect(screen.queryByRole('button', { name: 'Reset Temp Password' })).not.toBeInTheDocument()
  })

  it('sends a phone that was cleared as empty, and none that was empty before [3.15]', async () => {
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at: `/user/edit/${item.id}`,
      as: 'admin',
      answers: [
        noActivity,
        answer(businessUser.get, { ...item, mobile: '+49 30 1', landline: null, fax: null }),
        answer(businessUser.update, item),
      ],
    })
    await user.clear(await screen.findByLabelText(/^Mobile/))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Profile updated successfully!')
    expect(calls(businessUser.update)[0]).toMatchObject({ mobile: '' })
    expect(Object.keys(calls(businessUser.update)[0] ?? {})).not.toContain('fax')
  })

  it('edits names and phones [2.24]', async () => {
    const { user, path, calls } = renderScreen(<App notFound={null} />, {
      at,
      as: 'admin',
      answers: [noActivity, answer(businessUser.get, item), answer(businessUser.update, item)],
    })
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    expect(path()).toBe(`/user/edit/${item.id}`)
    const first = await screen.findByLabelText('First Name')
    await user.clear(first)
    await user.tab()
    expect(await screen.findByText('Please enter a first name.')).toBeInTheDocument()
    await user.type(first, 'Adele')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Profile updated successfully!')).toBeInTheDocument()
    expect(calls(businessUser.update)[0]).toMatchObject({
      id: item.id,
      firstName: 'Adele',
      lastName: 'Berg',
      seenUpdatedDate: item.updatedDate,
    })
    expect(path()).toBe(at)
  })
})

it.each([
  [['List', 'Get', 'Activate'], { status: 'Deactivated' as const }, ['Activate User']],
  [['List', 'Get', 'Activate'], {}, []],
  [['List', 'Get', 'DeActivate'], {}, ['Deactivate User']],
  [['List', 'Get', 'DeActivate'], { status: 'Deactivated' as const }, []],
  [['List', 'Get', 'Update'], {}, ['Edit']],
])('offers to those who may %j, of one that is %j: %j [4.03, 6.07]', async (actions, over, offered) => {
  const policy = toPolicy('admin').map((entry) => (entry.module === 'BusinessUser' ? { ...entry, actions } : entry))
  renderScreen(<App notFound={null} />, {
    at,
    as: 'admin',
    user: { policy },
    answers: [noActivity, answer(businessUser.get, { ...item, status: { ...item.status, ...over } })],
  })
  await screen.findByText('Staff User')
  const box = screen.queryByRole('region', { name: 'Actions' })
  expect(box !== null).toBe(offered.length > 0)
  expect(
    box === null
      ? []
      : within(box)
          .getAllByRole('button')
          .map(({ textContent }) => textContent),
  ).toEqual(offered)
})
