import { scan } from '@dmp/contract'
import { aScan, aShareLink, anId, northClinic } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'
import { isActive } from './ShareLinksSection.tsx'

const item = aScan()
const made = answer(scan.share, { downloadUrl: '/share/secret' })
const soon = new Date(Date.now() + 3_600_000).toISOString()

const draw = (answers: readonly Line[], links = answer(scan.listShares, [])) =>
  renderScreen(<App notFound={null} />, {
    at: `/scan/detail/${northClinic.id}/2.25.200`,
    as: 'staff',
    answers: [answer(scan.get, item), ...answers, links],
  })

async function openModal(user: ReturnType<typeof draw>['user']) {
  await user.click(await screen.findByRole('button', { name: 'Share' }))
  return within(await screen.findByRole('dialog', { name: 'Share' }))
}

describe('share', () => {
  it('lasts 1 to 7 days, 1 unless chosen, and needs the box ticked [5.13, 9.04]', async () => {
    const { user } = draw([])
    const dialog = await openModal(user)
    const slider = dialog.getByRole('slider', { name: 'Valid for' })
    expect(slider).toHaveAttribute('min', '1')
    expect(slider).toHaveAttribute('max', '7')
    expect(slider).toHaveValue('1')
    expect(slider).toHaveAttribute('aria-valuetext', '1 day')
    expect(dialog.getByRole('button', { name: 'Create Share Link' })).toBeDisabled()
    await user.click(dialog.getByRole('checkbox', { name: /Are you sure you want to share this scan\?/ }))
    expect(dialog.getByRole('button', { name: 'Create Share Link' })).toBeEnabled()
  })

  it('creates the link, then copies it and closes [4.08, 3.14, 7.38, 8.09]', async () => {
    const { user, calls } = draw([made])
    const dialog = await openModal(user)
    fireEvent.change(dialog.getByRole('slider'), { target: { value: '3' } })
    expect(dialog.getByText('3 days')).toBeInTheDocument()
    await user.click(dialog.getByRole('checkbox'))
    await user.click(dialog.getByRole('button', { name: 'Create Share Link' }))
    expect(await screen.findByLabelText('Share link')).toHaveValue('http://localhost/share/secret')
    expect(screen.queryByRole('button', { name: 'Create Share Link' })).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Copy Link' }))
    expect(await screen.findByText('Scan share link successfully copied to clipboard.')).toBeVisible()
    expect(await navigator.clipboard.readText()).toBe('http://localhost/share/secret')
    expect(screen.queryByLabelText('Share link')).not.toBeInTheDocument()
    expect(calls(scan.share)).toEqual([{ organizationId: northClinic.id, seriesUID: '2.25.200', expireInDay: 3 }])
  })

  it('says when the browser does not allow copying, and keeps the link to be copied by hand [4.08]', async () => {
    const { user } = draw([made])
    const dialog = await openModal(user)
    await user.click(dialog.getByRole('checkbox'))
    await user.click(dialog.getByRole('button', { name: 'Create Share Link' }))
    await screen.findByLabelText('Share link')
    expect(screen.queryByText(/does not allow copying/)).not.toBeInTheDocument()
    jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'))
    await user.click(screen.getByRole('button', { name: 'Copy Link' }))
    const notice = await screen.findByText('This browser does not allow copying. Select the link and copy it manually.')
    // The alert fades in.
    await waitFor(() => expect(notice).toBeVisible())
    expect(screen.getByLabelText('Share link')).toHaveValue('http://localhost/share/secret')
    expect(screen.queryByText('Scan share link successfully copied to clipboard.')).not.toBeInTheDocument()
  })

  it('takes a password and a number of downloads', async () => {
    const { user, calls } = draw([made])
    const dialog = await openModal(user)
    await user.type(dialog.getByLabelText('Link password (optional)'), 'open sesame')
    await user.type(dialog.getByLabelText('Number of downloads (optional)'), '2')
    await user.click(dialog.getByRole('checkbox'))
    await user.click(dialog.getByRole('button', { name: 'Create Share Link' }))
    await screen.findByLabelText('Share link')
    expect(calls(scan.share)).toMatchObject([{ password: 'open sesame', maxUses: 2 }])
  })

  it('refuses a number of downloads that is none', async () => {
    const { user } = draw([])
    const dialog = await openModal(user)
    await user.click(dialog.getByRole('checkbox'))
    await user.type(dialog.getByLabelText('Number of downloads (optional)'), '0')
    await user.tab()
    expect(await dialog.findByText('Allow at least one download.')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Create Share Link' })).toBeDisabled()
    for (const [uses, isFine] of [
      ['1', true],
      ['1001', false],
      ['1000', true],
    ] as const) {
      await user.clear(dialog.getByLabelText('Number of downloads (optional)'))
      await user.type(dialog.getByLabelText('Number of downloads (optional)'), uses)
      expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Create Share Link' }).disabled).toBe(!isFine)
    }
  })

  it('shows a failure inside the dialog, which can be dismissed [8.03]', async () => {
    const { user } = draw([answer(scan.share, new CallError(429, 'SLOW_DOWN', 'Too many links in one hour.'))])
    const dialog = await openModal(user)
    await user.click(dialog.getByRole('checkbox'))
    await user.click(dialog.getByRole('button', { name: 'Create Share Link' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('Too many links in one hour.')
  })
})

describe('active links', () => {
  it('are listed with their use and can be revoked', async () => {
    let links = [
      aShareLink({ expireDate: soon, maxUses: 5, uses: 2, hasPassword: true }),
      aShareLink({ id: anId(41), expireDate: soon, revokedDate: soon }),
    ]
    const revoke = answer(scan.revokeShare, () => {
      links = []
      return null
    })
    const { user, calls } = draw(
      [revoke],
      answer(scan.listShares, () => links),
    )
    const table = within(await screen.findByRole('table', { name: 'Active share links' }))
    expect(table.getByText('2 of 5')).toBeVisible()
    expect(table.getAllByRole('button', { name: 'Revoke' })).toHaveLength(1)
    await user.click(table.getByRole('button', { name: 'Revoke' }))
    expect(await screen.findByText('Share link revoked')).toBeVisible()
    expect(calls(scan.revokeShare)).toEqual([{ id: anId(40) }])
    await waitFor(() => expect(screen.queryByRole('table', { name: 'Active share links' })).not.toBeInTheDocument())
  })

  it('are told to be missing where they could not be had, without a table of none [8.03]', async () => {
    draw([], answer(scan.listShares, new CallError(404, 'NOT_FOUND', 'There is no such scan.')))
    expect(await screen.findByText('There is no such scan.')).toBeVisible()
    expect(screen.queryByRole('table', { name: 'Active share links' })).not.toBeInTheDocument()
  })

  it.each([
    ['lasts', {}, true],
    ['ends just now', { expireDate: '2026-05-01T00:00:00.000Z' }, false],
    ['is over', { expireDate: '2026-01-01T00:00:00.000Z' }, false],
    ['is revoked', { revokedDate: '2026-01-01T00:00:00.000Z' }, false],
    ['is used up', { maxUses: 2, uses: 2 }, false],
    ['has uses left', { maxUses: 2, uses: 1 }, true],
  ])('one that %s', (_, over, expected) => {
    expect(
      isActive(aShareLink({ expireDate: '2026-06-01T00:00:00.000Z', ...over }), Date.parse('2026-05-01T00:00:00.000Z')),
    ).toBe(expected)
  })
})
