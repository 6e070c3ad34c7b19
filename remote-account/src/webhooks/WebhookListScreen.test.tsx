import { webhook } from '@dmp/contract'
import { aNewWebhook, anId, aWebhook } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const draw = (answers: readonly Line[] = []) =>
  renderScreen(<App notFound={null} />, {
    at: '/account/webhooks',
    as: 'admin',
    answers: [...answers, answer(webhook.list, { rows: [aWebhook()], total: 1 })],
  })

async function openDialog(user: ReturnType<typeof draw>['user']) {
  await user.click(await screen.findByRole('button', { name: 'New webhook' }))
  return within(await screen.findByRole('dialog', { name: 'New webhook' }))
}

describe('webhooks', () => {
  it('are listed, and each leads to its page [P49]', async () => {
    const { user, path } = draw([
      answer(webhook.get, aWebhook()),
      answer(webhook.listDeliveries, { rows: [], total: 0 }),
    ])
    await user.click(await screen.findByRole('link', { name: 'Chest reader' }))
    expect(path()).toBe(`/account/webhooks/${aWebhook().id}`)
  })

  it('are called failing while nothing arrives, and active again then [P49]', async () => {
    const failing = aWebhook({ name: 'Away', failingSince: '2026-05-06T08:00:00.000Z' })
    renderScreen(<App notFound={null} />, {
      at: '/account/webhooks',
      as: 'admin',
      answers: [answer(webhook.list, { rows: [failing, aWebhook({ id: anId(9) })], total: 2 })],
    })
    const statusOf = async (name: RegExp) => within(await screen.findByRole('row', { name })).getAllByRole('cell')[1]
    expect(await statusOf(/Away/)).toHaveTextContent(/^Failing$/)
    expect(await statusOf(/Chest reader/)).toHaveTextContent(/^Active$/)
  })

  it('say so when there are none [P49]', async () => {
    renderScreen(<App notFound={null} />, {
      at: '/account/webhooks',
      as: 'admin',
      answers: [answer(webhook.list, { rows: [], total: 0 })],
    })
    expect(await screen.findByText('No record found.')).toBeVisible()
    expect(screen.getByText(/^A webhook tells a program of yours/)).toBeVisible()
  })

  it('are made with an address, kinds and the own password, and their secret is shown once [P49]', async () => {
    const made = aNewWebhook({ name: 'Reader 2' })
    const { user, calls } = draw([answer(webhook.add, made)])
    const dialog = await openDialog(user)
    expect(dialog.getByRole('button', { name: 'Create webhook' })).toBeDisabled()
    await user.type(dialog.getByLabelText('Name'), 'Reader 2')
    await user.type(dialog.getByLabelText('Address'), 'https://reader.example.org/dmp')
    await user.type(dialog.getByLabelText('Your password'), 'secret word')
    await user.click(dialog.getByRole('checkbox', { name: 'A series arrives' }))
    await user.click(dialog.getByRole('button', { name: 'Create webhook' }))
    const shown = within(await screen.findByRole('dialog', { name: 'Secret for Reader 2' }))
    expect(calls(webhook.add)).toEqual([
      {
        name: 'Reader 2',
        url: 'https://reader.example.org/dmp',
        kinds: ['SeriesCreated', 'SeriesQuiet', 'SeriesDeleted'],
        password: 'secret word',
      },
    ])
    expect(shown.getByLabelText('Secret')).toHaveValue(made.secret)
    await user.click(shown.getByRole('button', { name: 'Copy' }))
    expect(await screen.findByText('Secret copied to clipboard.')).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe(made.secret)
    const [close] = shown.getAllByRole('button', { name: 'Close' }).toReversed()
    await user.click(close!)
    await waitFor(() => expect(screen.queryByDisplayValue(made.secret)).not.toBeInTheDocument())
  })

  it('need a kind, and an address that is one [P49]', async () => {
    const { user } = draw()
    const dialog = await openDialog(user)
    await user.type(dialog.getByLabelText('Name'), 'Reader 2')
    await user.type(dialog.getByLabelText('Address'), 'reader')
    await user.type(dialog.getByLabelText('Your password'), 'secret word')
    // The dialog comes into view by degrees.
    await waitFor(() => expect(dialog.getByText(/^Write an address that begins with/)).toBeVisible())
    await user.clear(dialog.getByLabelText('Address'))
    await user.type(dialog.getByLabelText('Address'), 'https://reader.example.org/')
    expect(dialog.getByRole('button', { name: 'Create webhook' })).toBeEnabled()
    for (const name of [/is complete, as far as/, /^A series is deleted$/])
      await user.click(dialog.getByRole('checkbox', { name }))
    expect(dialog.getByRole('button', { name: 'Create webhook' })).toBeDisabled()
  })

  it('say at the field why they are not made [8.03]', async () => {
    const wrong = 'This address lies in a network that is not public.'
    const { user } = draw([
      answer(webhook.add, new CallError(400, 'INVALID', wrong, { fields: [{ path: 'url', message: wrong }] })),
    ])
    const dialog = await openDialog(user)
    await user.type(dialog.getByLabelText('Name'), 'Reader 2')
    await user.type(dialog.getByLabelText('Address'), 'https://10.0.0.1/')
    await user.type(dialog.getByLabelText('Your password'), 'secret word')
    await user.click(dialog.getByRole('button', { name: 'Create webhook' }))
    await waitFor(() =>
      expect(dialog.getByLabelText('Address')).toHaveAccessibleDescription(expect.stringContaining(wrong)),
    )
  })
})
