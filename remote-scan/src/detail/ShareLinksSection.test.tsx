import { scan } from '@dmp/contract'
import { aScan, aShareLink, anId, northClinic } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'
import { findEnd } from './ShareLinksSection.tsx'

const soon = new Date(Date.now() + 3_600_000).toISOString()

const draw = (answers: readonly Line[], links: Line) =>
  renderScreen(<App notFound={null} />, {
    at: `/scan/detail/${northClinic.id}/2.25.200`,
    as: 'staff',
    answers: [answer(scan.get, aScan()), answer(scan.listStudies, { rows: [], total: 0 }), ...answers, links],
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
    expect(table.getByText('2 of 5 times')).toBeVisible()
    expect(table.getAllByRole('button', { name: 'Revoke' })).toHaveLength(1)
    await user.click(table.getByRole('button', { name: 'Revoke' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Revoke the share link' }))
    expect(calls(scan.revokeShare)).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Revoke' }))
    expect(await screen.findByText('Share link revoked')).toBeVisible()
    expect(calls(scan.revokeShare)).toEqual([{ id: anId(40) }])
    await waitFor(() => expect(screen.queryByRole('table', { name: 'Active share links' })).not.toBeInTheDocument())
  })

  it('say who may do what, and who has seen it when, by which address [P25]', async () => {
    const visits = [
      { openedDate: '2026-05-05T10:12:00.000Z', email: 'ada@clinic.example' },
      { openedDate: '2026-05-05T09:12:00.000Z', email: 'ada@clinic.example' },
    ]
    const { user } = draw(
      [],
      answer(scan.listShares, [
        aShareLink({ expireDate: soon, uses: 2, visits, hasCode: true, recipient: 'ada@clinic.example', scans: 3 }),
        aShareLink({ id: anId(41), expireDate: soon, allowsDownload: false, hasPassword: true, isPaused: true }),
        aShareLink({ id: anId(42), expireDate: soon, maxUses: 1, uses: 1, lastUsedDate: '2026-05-05T10:12:00.000Z' }),
      ]),
    )
    const [, first, second] = within(await screen.findByRole('table', { name: 'Active share links' })).getAllByRole(
      'row',
    )
    expect(first).toHaveTextContent(/to ada@clinic.example3 scans.*Code by mailDownload allowed2 times/)
    await user.click(within(first as HTMLElement).getByText('2 times'))
    const listed = within(first as HTMLElement).getAllByRole('listitem')
    expect(listed.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^2026-05-05, 07:42 am GMT-2:30 by somebody with the link for ada@clinic.example$/),
      expect.stringMatching(/^2026-05-05, 06:42 am GMT-2:30 by somebody with the link for ada@clinic.example$/),
    ])
    expect(second).toHaveTextContent(/1 scan.*Opens nothing while its sender is deactivatedPasswordView onlyNot yet/)
    await user.click(screen.getByRole('button', { name: 'Ended share links (1)' }))
    const ended = screen.getByRole('table', { name: 'Ended share links' })
    expect(ended).toHaveTextContent(/1 of 1 times.*Used up/)
    expect(within(ended).queryByRole('button', { name: 'Revoke' })).not.toBeInTheDocument()
  })

  it('can be revoked when used up, for as long as somebody who opened them can look, and say until when [P25]', async () => {
    const over = new Date(Date.now() - 60_000).toISOString()
    const usedUp = { expireDate: soon, maxUses: 1, uses: 1 }
    const { user, calls } = draw(
      [answer(scan.revokeShare, null)],
      answer(scan.listShares, [
        aShareLink({ ...usedUp, openUntilDate: soon }),
        aShareLink({ ...usedUp, id: anId(41), openUntilDate: over }),
      ]),
    )
    const active = within(await screen.findByRole('table', { name: 'Active share links' }))
    expect(active.getByText(/^Used up, but open until/)).toHaveTextContent(/open until \d.* where it was opened$/)
    expect(screen.getByRole('button', { name: 'Ended share links (1)' })).toBeVisible()
    await user.click(active.getByRole('button', { name: 'Revoke' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Revoke the share link' }))
    await user.click(dialog.getByRole('button', { name: 'Revoke' }))
    await waitFor(() => expect(calls(scan.revokeShare)).toEqual([{ id: anId(40) }]))
  })

  it.each([
    ['dr@clinic.example', 'Sent to dr@clinic.example'],
    [null, null],
  ])('are revoked after a question that says to whom they went: %s', async (recipient, said) => {
    const { user } = draw([], answer(scan.listShares, [aShareLink({ expireDate: soon, recipient, maxUses: 3 })]))
    expect(await screen.findByText('Not yet, 3 times at most')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Revoke' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Revoke the share link' }))
    await dialog.findByText(/It opens nothing any more/)
    expect(dialog.queryByText(/^Sent to/)?.textContent ?? null).toBe(said)
  })

  it('are told to be missing where they could not be had, without a table of none [8.03]', async () => {
    draw([], answer(scan.listShares, new CallError(404, 'NOT_FOUND', 'There is no such scan.')))
    expect(await screen.findByText('There is no such scan.')).toBeVisible()
    expect(screen.queryByRole('table', { name: 'Active share links' })).not.toBeInTheDocument()
  })

  it.each([
    ['lasts', {}, undefined],
    ['ends just now', { expireDate: '2026-05-01T00:00:00.000Z' }, 'Expired'],
    ['is over', { expireDate: '2026-01-01T00:00:00.000Z' }, 'Expired'],
    ['is revoked', { revokedDate: '2026-01-01T00:00:00.000Z' }, 'Revoked'],
    ['is used up', { maxUses: 2, uses: 2 }, 'Used up'],
    ['is used up, and open still', { maxUses: 1, uses: 1, openUntilDate: '2026-05-01T00:00:01.000Z' }, undefined],
    ['is used up, and open no more', { maxUses: 1, uses: 1, openUntilDate: '2026-05-01T00:00:00.000Z' }, 'Used up'],
    ['has uses left', { maxUses: 2, uses: 1 }, undefined],
  ])('one that %s', (_, over, expected) => {
    expect(
      findEnd(aShareLink({ expireDate: '2026-06-01T00:00:00.000Z', ...over }), Date.parse('2026-05-01T00:00:00.000Z')),
    ).toBe(expected)
  })
})
