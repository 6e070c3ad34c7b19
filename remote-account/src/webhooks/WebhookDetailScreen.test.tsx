import { webhook } from '@dmp/contract'
import { aDelivery, aDeliveryDetail, aNewWebhook, aWebhook } from '@dmp/contract/examples'
import { toPolicy } from '@dmp/contract/policy'
import type { Webhook } from '@dmp/contract/webhook'
import { CallError } from '@dmp/kit'
import { answer, expectAskedEvery, type Line, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const { id } = aWebhook()

const draw = (over: Partial<Webhook> = {}, answers: readonly Line[] = [], as: 'admin' | 'sys_admin' = 'admin') =>
  renderScreen(<App notFound={null} />, {
    at: `/account/webhooks/${id}`,
    as,
    answers: [
      ...answers,
      answer(webhook.get, aWebhook(over)),
      answer(webhook.listDeliveries, { rows: [aDelivery()], total: 1 }),
    ],
  })

const button = (name: string) => screen.findByRole('button', { name })

describe('a webhook', () => {
  it('shows its deliveries, each with its answer, and leads to them [P49]', async () => {
    const { user, path } = draw({}, [answer(webhook.getDelivery, aDeliveryDetail())])
    const table = await screen.findByRole('table', { name: 'Deliveries' })
    expect(await within(table).findByText('204 in 45 ms')).toBeVisible()
    await user.click(within(table).getByRole('link', { name: 'Series quiet' }))
    expect(path()).toBe(`/account/webhooks/${id}/${aDelivery().id}`)
  })

  it('looks whether its receiver has answered while somebody looks at the page, and at once when they do again', async () => {
    jest.useFakeTimers({ advanceTimers: true })
    const waiting = aDelivery({ status: 'Waiting', nextTryDate: '2026-05-05T09:01:00.000Z' })
    const { calls } = renderScreen(<App notFound={null} />, {
      at: `/account/webhooks/${id}`,
      as: 'admin',
      answers: [answer(webhook.get, aWebhook()), answer(webhook.listDeliveries, { rows: [waiting], total: 1 })],
    })
    await screen.findByRole('link', { name: 'Series quiet' })
    await expectAskedEvery(6000, () => calls(webhook.listDeliveries).length)
    jest.useRealTimers()
  })

  it('sends a test [P49]', async () => {
    const { user, calls } = draw({}, [answer(webhook.sendTest, aDelivery({ type: 'WebhookTest', status: 'Waiting' }))])
    await user.click(await button('Send a test'))
    expect(await screen.findByText(/^The test is on its way/)).toBeVisible()
    expect(calls(webhook.sendTest)).toEqual([{ id }])
  })

  it('is paused, and says when that is refused [P49, 8.03]', async () => {
    const refused = new CallError(409, 'UNCHANGED', 'Chest reader is paused already.')
    let answers = 0
    const paused = aWebhook({ status: 'Paused', pausedReason: 'Person' })
    const { user, calls } = draw({}, [answer(webhook.pause, () => ((answers += 1) === 1 ? refused : paused))])
    await user.click(await button('Pause'))
    expect(await screen.findByText('Chest reader is paused already.')).toBeVisible()
    await user.click(await button('Pause'))
    expect(await screen.findByText('Chest reader paused')).toBeVisible()
    expect(await button('Resume')).toBeVisible()
    expect(calls(webhook.pause)).toEqual([{ id }, { id }])
  })

  it('is resumed when it was paused, and says why it was [P49]', async () => {
    const { user, calls } = draw({ status: 'Paused', pausedReason: 'Failing' }, [answer(webhook.resume, aWebhook())])
    expect(await screen.findByText(/^Its receiver accepted nothing for three days/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Send a test' })).not.toBeInTheDocument()
    await user.click(await button('Resume'))
    expect(await screen.findByText('Chest reader resumed')).toBeVisible()
    expect(calls(webhook.resume)).toEqual([{ id }])
  })

  it('is edited with the own password [P49]', async () => {
    const { user, calls } = draw({}, [answer(webhook.update, aWebhook({ name: 'Head reader' }))])
    await user.click(await button('Edit'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit webhook' }))
    expect(dialog.getByLabelText('Address')).toHaveValue('https://reader.example.org/dmp')
    await user.clear(dialog.getByLabelText('Name'))
    await user.type(dialog.getByLabelText('Name'), 'Head reader')
    await user.type(dialog.getByLabelText('Your password'), 'secret word')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Head reader saved')).toBeVisible()
    expect(calls(webhook.update)).toEqual([
      {
        id,
        name: 'Head reader',
        url: 'https://reader.example.org/dmp',
        kinds: ['SeriesQuiet', 'SeriesDeleted'],
        password: 'secret word',
      },
    ])
  })

  it('gets a new secret, shown once, and says how long the earlier one counts [P49]', async () => {
    const made = aNewWebhook({ previousSecretUntil: '2026-05-07T08:00:00.000Z' })
    const { user } = draw({}, [answer(webhook.renewSecret, made)])
    await user.click(await button('New secret'))
    const dialog = within(await screen.findByRole('dialog', { name: 'New secret' }))
    await user.type(dialog.getByLabelText('Your password'), 'secret word')
    await user.click(dialog.getByRole('button', { name: 'Make a new secret' }))
    const shown = within(await screen.findByRole('dialog', { name: 'Secret for Chest reader' }))
    expect(shown.getByLabelText('Secret')).toHaveValue(made.secret)
    await waitFor(() => expect(shown.getByText(/signed with the earlier secret as well/)).toBeVisible())
  })

  it('replays the changes of a time [P49]', async () => {
    const { user, calls } = draw({}, [answer(webhook.replaySince, aWebhook())])
    await user.click(await button('Replay'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Replay changes' }))
    await user.selectOptions(dialog.getByLabelText('Changes of the'), 'Last 3 days')
    const before = Date.now() - 72 * 3_600_000
    await user.click(dialog.getByRole('button', { name: 'Replay' }))
    expect(await screen.findByText('The changes are on their way.')).toBeVisible()
    const [input] = calls(webhook.replaySince) as { id: string; since: string }[]
    expect(input?.id).toBe(id)
    expect(Date.parse(input?.since ?? '')).toBeGreaterThanOrEqual(before)
    expect(Date.parse(input?.since ?? '')).toBeLessThanOrEqual(Date.now() - 72 * 3_600_000)
  })

  it('is deleted after a question, and the list is shown [P49]', async () => {
    const { user, calls, path } = draw({}, [answer(webhook.remove, null), answer(webhook.list, { rows: [], total: 0 })])
    await user.click(await button('Delete webhook'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete webhook' }))
    await user.click(dialog.getByRole('button', { name: 'Delete webhook' }))
    expect(await screen.findByText('Chest reader deleted')).toBeVisible()
    expect(path()).toBe('/account/webhooks')
    expect(calls(webhook.remove)).toEqual([{ id }])
  })

  it('of another organization can be stopped by the provider, and no more [P49]', async () => {
    draw({}, [], 'sys_admin')
    expect(await button('Pause')).toBeEnabled()
    expect(await button('Delete webhook')).toBeEnabled()
    for (const name of ['Edit', 'Send a test', 'New secret', 'Replay'])
      expect(screen.queryByRole('button', { name })).not.toBeInTheDocument()
  })

  it('promises no next try while it is paused [P49]', async () => {
    const failingSince = '2026-05-06T08:00:00.000Z'
    draw({ status: 'Paused', pausedReason: 'Failing', failingSince, nextTryDate: null })
    expect(await screen.findByText('Failing since')).toBeVisible()
    expect(screen.queryByText('Next try', { selector: 'dt' })).not.toBeInTheDocument()
  })

  it('is not called active while nothing arrives [P49]', async () => {
    draw({ failingSince: '2026-05-06T08:00:00.000Z' })
    expect(await screen.findByText('Failing')).toHaveClass('dmp-badge--danger')
    expect(screen.queryByText('Active')).not.toBeInTheDocument()
  })

  it('says why the last try was not accepted, without a look through the deliveries [P49]', async () => {
    draw({ failingSince: '2026-05-06T08:00:00.000Z', lastProblem: 'BadStatus', lastAnswerStatus: 503 })
    const answered = await screen.findByText('Last answer', { selector: 'dt' })
    expect(answered.nextElementSibling).toHaveTextContent(
      'The receiver answered that it did not take the message. HTTP 503',
    )
  })

  it('says why it is suspended [P49]', async () => {
    draw({ status: 'Suspended' })
    expect(await screen.findByText(/^Its owner or the organization is deactivated/)).toBeVisible()
  })
})

describe('a delivery', () => {
  it('shows what was sent, what was answered and what is wrong, and is replayed [P49]', async () => {
    const item = aDeliveryDetail({
      status: 'Waiting',
      problem: 'BadStatus',
      answerStatus: 500,
      answer: 'No disk',
      nextTryDate: '2026-05-06T09:01:00.000Z',
    })
    const { user, calls } = renderScreen(<App notFound={null} />, {
      at: `/account/webhooks/${item.webhookId}/${item.id}`,
      as: 'admin',
      answers: [
        answer(webhook.get, aWebhook()),
        answer(webhook.getDelivery, item),
        answer(webhook.replay, aDelivery({ status: 'Waiting' })),
      ],
    })
    expect(await screen.findByText(item.payload)).toBeVisible()
    expect(screen.getByText('No disk')).toBeVisible()
    expect(screen.getByText('The receiver answered that it did not take the message.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Replay' }))
    expect(await screen.findByText('The message is on its way once more.')).toBeVisible()
    expect(calls(webhook.replay)).toEqual([{ id: item.id }])
  })
})

it.each([
  [['List', 'Get'], []],
  [['List', 'Get', 'Delete'], ['Delete webhook']],
  [
    ['List', 'Get', 'Update'],
    ['Edit', 'Send a test', 'Replay', 'New secret', 'Pause'],
  ],
])('offers to those who may %j: %j [P49]', async (actions, offered) => {
  const policy = toPolicy('admin').map((entry) => (entry.module === 'Webhook' ? { ...entry, actions } : entry))
  renderScreen(<App notFound={null} />, {
    at: `/account/webhooks/${id}`,
    as: 'admin',
    user: { policy },
    answers: [answer(webhook.get, aWebhook()), answer(webhook.listDeliveries, { rows: [], total: 0 })],
  })
  await screen.findByRole('table', { name: 'Deliveries' })
  const box = screen.queryByRole('region', { name: 'Actions' })
  expect(
    box === null
      ? []
      : within(box)
          .getAllByRole('button')
          .map(({ textContent }) => textContent),
  ).toEqual(offered)
})

it('says why a test could not be sent, and no more once that was read [8.03]', async () => {
  const { user } = draw({}, [answer(webhook.sendTest, new CallError(429, 'SLOW_DOWN', 'Wait a little.'))])
  await user.click(await button('Send a test'))
  expect(await screen.findByText('Wait a little.')).toBeVisible()
  await user.click(await button('Close alert'))
  expect(screen.queryByText('Wait a little.')).toBeNull()
})
