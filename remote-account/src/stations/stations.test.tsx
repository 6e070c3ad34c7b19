import { scan, station } from '@dmp/contract'
import { aStation } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const draw = (
  over: Parameters<typeof aStation>[0] = {},
  removal: unknown = null,
  uploader: { url: string } | CallError = { url: '/uploader' },
) =>
  renderScreen(<App notFound={null} />, {
    at: '/account/stations',
    as: 'admin',
    answers: [
      answer(station.list, { rows: [aStation(over)], total: 1 }),
      answer(station.remove, removal as null),
      answer(scan.getUploader, uploader),
    ],
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
    [0, 'dmp-badge--success'],
    [1, 'dmp-badge--warning'],
  ])('that wait for nothing are green only where nothing was refused: %i [P56]', async (refused, tone) => {
    draw({ status: 'Idle', refused })
    expect((await screen.findByText('Idle')).closest('.dmp-badge')).toHaveClass(tone)
  })

  it('say by the minute when they were heard last [P56]', async () => {
    draw({ lastSeenDate: '2026-05-06T09:07:00.000Z' })
    expect(await screen.findByText(/^2026-05-06,? \d\d:07\b/)).toBeVisible()
  })

  it.each([
    ['Windows', 'windows'],
    ['macOS', 'macos'],
    ['Linux', 'linux'],
  ])('get the uploader for %s, whatever system the page is read on [2.41, 7.38]', async (name, platform) => {
    const open = jest.spyOn(window, 'open').mockReturnValue(null)
    const { user, calls } = draw()
    await user.click(await screen.findByRole('button', { name: `Uploader for ${name}` }))
    await waitFor(() => expect(open).toHaveBeenCalledWith('/uploader', '_blank', 'noopener,noreferrer'))
    expect(calls(scan.getUploader)).toMatchObject([{ platform }])
  })

  it('say why there is no uploader [8.08]', async () => {
    const { user } = draw({}, null, new CallError(503, 'NO_UPLOADER', 'The uploader is not installed.'))
    await user.click(await screen.findByRole('button', { name: 'Uploader for Linux' }))
    expect(await screen.findByText('The uploader is not installed.')).toBeVisible()
  })

  it('say that the server offers a newer uploader [P56]', async () => {
    draw({ version: '1.0.0', isOutdated: true, status: 'Silent' })
    expect(await screen.findByText('1.0.0 (a newer one is there)')).toBeVisible()
    expect(screen.getByText('Silent')).toBeVisible()
  })
})
