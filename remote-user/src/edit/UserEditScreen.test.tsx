import { businessUser } from '@dmp/contract'
import { aUser, anId } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor } from '@testing-library/react'
import { App } from '../App.tsx'

const item = aUser('staff', { id: anId(77), landline: null, mobile: '1', fax: null })

describe('editing a user', () => {
  it('takes over what somebody else saved meanwhile, but for the fields that both changed [2.24, 8.03]', async () => {
    let stored = item
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at: `/user/edit/${item.id}`,
      as: 'admin',
      answers: [
        answer(businessUser.get, () => stored),
        answer(businessUser.update, ({ seenUpdatedDate }) => {
          if (seenUpdatedDate !== item.updatedDate) return stored
          stored = { ...item, landline: '030 111', mobile: '2', updatedDate: '2026-11-30T12:00:00.000Z' }
          return new CallError(409, 'CHANGED_MEANWHILE', 'Somebody changed this user meanwhile.', {
            fields: [
              { path: 'landline', message: 'Now “030 111”; you entered empty.' },
              { path: 'mobile', message: 'Now “2”; you entered “3”.' },
              { path: 'fax', message: 'Now empty; you entered “030 222”.' },
            ],
          })
        }),
      ],
    })
    await user.type(await screen.findByLabelText('Fax'), '030 222')
    await user.clear(screen.getByLabelText('Mobile'))
    await user.type(screen.getByLabelText('Mobile'), '3')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Somebody changed this user meanwhile.')).toBeVisible()
    await waitFor(() => expect(screen.getByLabelText('Landline')).toHaveValue('030 111'))
    expect(screen.getByLabelText('Landline')).not.toHaveAccessibleDescription()
    expect(screen.getByLabelText('Mobile')).toHaveValue('3')
    expect(screen.getByLabelText('Mobile')).toHaveAccessibleDescription('Now “2”; you entered “3”.')
    expect(screen.getByLabelText('Fax')).toHaveValue('030 222')
    expect(screen.getByLabelText('Fax')).not.toHaveAccessibleDescription()
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(calls(businessUser.update)).toHaveLength(2))
    expect(calls(businessUser.update)[1]).toMatchObject({ landline: '030 111', mobile: '3', fax: '030 222' })
  })
})
