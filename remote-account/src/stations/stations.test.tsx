import { station } from '@dmp/contract'
import { aStation } from '@dmp/contract/examples'
import { toPolicy } from '@dmp/contract/policy'
import { CallError } from '@dmp/kit'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, within } from '@testing-library/react'
import { App } from '../App.tsx'

const draw = (over: Parameters<typeof aStation>[0] = {}, removal: unknown = null) =>
  renderScreen(<App notFound={null} />, {
    at: '/account/stations',
    as: 'admin',
    answers: [answer(station.list, { rows: [aStation(over)], total: 1 }), answer(station.remove, removal as null)],
  })

describe('stations', () => {
  it('are removed after a question, or say why not [P56, 8.03]', async () => {
    const { user, calls } = draw()
    await user.click(await screen.findByRole('button', { name: 'Remove CT in room 3' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove station' }))
    expect(await screen.findByText('CT in room 3 removed')).toBeVisible()
    expect(calls(station.remove)).toEqual([{ id: aStation().id }])
  })

  it('that cannot be removed say so [P56, 8.03]', async () => {
    const { user } = draw({}, new CallError(404, 'NOT_FOUND', 'There is no such station.'))
    await user.click(await screen.findByRole('button', { name: 'Remove CT in room 3' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove station' }))
    expect(await screen.findByText('There is no such station.')).toBeVisible()
  })

  it.each([
    ['Idle', 0, 'Idle', 'dmp-badge--success'],
    ['Refused', 3, '3 refused', 'dmp-badge--warning'],
    // A server of before.
    ['Idle', 1, '1 refused', 'dmp-badge--warning'],
    ['Paused', 3, 'Paused', 'dmp-badge--warning'],
  ] as const)('that are %s with %i refused say %s [P56]', async (status, refused, said, tone) => {
    draw({ status, refused })
    expect((await screen.findByText(said)).closest('.dmp-badge')).toHaveClass(tone)
  })

  it.each([
    ['Ended', 'Token ended', 'dmp-badge--danger'],
    ['Expired', 'Token expired', 'dmp-badge--warning'],
    ['Suspended', 'Token suspended', 'dmp-badge--warning'],
  ] as const)(
    'whose API token is %s say so, whatever they told last, and lead to it [P56, P35]',
    async (tokenStatus, said, tone) => {
      draw({ status: 'Idle', refused: 6, tokenStatus })
      expect((await screen.findByText(said)).closest('.dmp-badge')).toHaveClass(tone)
      expect(screen.queryByText('6 refused')).toBeNull()
      expect(screen.getByRole('link', { name: aStation().account })).toHaveAttribute(
        'href',
        `/account/api-tokens/detail/${aStation().tokenId}`,
      )
    },
  )

  it.each([
    [12.5, ['Token ends in 12 days']],
    [1.5, ['Token ends in 1 day']],
    [0.5, ['Token ends today']],
    [15, []],
  ])('whose API token ends in %d days say so in time, and still how they are [P56, P35]', async (days, warnings) => {
    draw({ status: 'Sending', tokenExpiresDate: new Date(Date.now() + days * 86_400_000).toISOString() })
    expect(await screen.findByText('Sending')).toBeVisible()
    expect(screen.queryAllByText(/^Token ends /).map(({ textContent }) => textContent)).toEqual(warnings)
    expect(screen.queryAllByRole('link', { name: aStation().account })).toHaveLength(warnings.length)
  })

  it('by an account, or of a server of before, say nothing of a token [P56]', async () => {
    draw({ status: 'Idle', refused: 0, tokenId: undefined, tokenStatus: undefined, tokenExpiresDate: undefined })
    expect(await screen.findByText('Idle')).toBeVisible()
    expect(screen.queryByText(/^Token ends/)).toBeNull()
  })

  it('say by the minute when they were heard last [P56]', async () => {
    draw({ lastSeenDate: '2026-05-06T09:07:00.000Z' })
    expect(await screen.findByText(/^2026-05-06,? \d\d:37\b/)).toBeVisible()
  })

  it('lead to the uploader for every system [2.41]', async () => {
    draw()
    expect(await screen.findByRole('link', { name: 'Get the uploader' })).toHaveAttribute('href', '/scan/upload')
  })

  it.each([
    [true, 'Yes'],
    [undefined, 'No'],
  ])('say whether they de-identify what they send: %s [P80]', async (isDeidentifying, said) => {
    draw({ isDeidentifying })
    const row = (await screen.findByText('CT in room 3')).closest('tr')!
    expect(within(row).getByText(said).closest('.dmp-badge')).toHaveClass('dmp-badge--secondary')
  })

  it('say that the server offers a newer uploader [P56]', async () => {
    draw({ version: '1.0.0', isOutdated: true, status: 'Silent' })
    expect(await screen.findByText('1.0.0 (a newer one is there)')).toBeVisible()
    expect(screen.getByText('Silent')).toBeVisible()
  })
})

it('has no way to the token of a station for those who may not see tokens', async () => {
  const policy = toPolicy('admin').filter((entry) => entry.module !== 'ApiToken')
  renderScreen(<App notFound={null} />, {
    at: '/account/stations',
    as: 'admin',
    user: { policy },
    answers: [answer(station.list, { rows: [aStation({ tokenStatus: 'Ended' })], total: 1 })],
  })
  expect(await screen.findByText('Uploader in room 3')).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Uploader in room 3' })).toBeNull()
})
