import { station } from '@dmp/contract'
import { aStation } from '@dmp/contract/examples'
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

  it('say that the server offers a newer uploader [P56]', async () => {
    draw({ version: '1.0.0', isOutdated: true, status: 'Silent' })
    expect(await screen.findByText('1.0.0 (a newer one is there)')).toBeVisible()
    expect(screen.getByText('Silent')).toBeVisible()
  })
})
