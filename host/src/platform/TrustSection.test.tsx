import { getFigures, getNotices, listErrors, setTrust, status } from '@dmp/contract/releaseCalls'
import { answer } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { Pages } from '../pages/Pages.tsx'
import { placeSnapshot } from '../testing/createRemote.ts'
import { renderPage } from '../testing/renderPage.ts'
import { releaseId, scans, watch } from '../testing/shownPart.ts'

/** The page of a part as the server tells of it, and what is asked for after a change of its trust. */
const draw = (isGuest: boolean | undefined) => {
  let now = isGuest
  placeSnapshot()
  return renderPage(<Pages />, {
    at: '/platform/part/remote-scan',
    as: 'super_admin',
    answers: [
      answer(status, () => ({ version: 2, parts: [{ ...scans, isGuest: now }], watch })),
      answer(listErrors, []),
      answer(getFigures, { part: 'remote-scan', releases: [], budgets: [] }),
      answer(getNotices, { part: 'remote-scan', isOn: false, emails: [], webhook: null, lastDate: null }),
      answer(setTrust, (input) => {
        now = input.isGuest
        return null
      }),
    ],
  })
}
const trust = async () => within(await screen.findByRole('region', { name: 'Trust' }))

// Compiled once, before anything waits for the page that fetches it.
beforeAll(() => import('./PartScreen.tsx'))

describe('how far a part is trusted', () => {
  it.each([
    {
      before: /^It runs in the page/,
      button: 'Make it a guest…',
      title: 'Make Scans a guest?',
      says: /without their session/,
      verb: 'Make it a guest',
      isGuest: true,
      after: /^It is a guest/,
    },
    {
      before: /^It is a guest/,
      button: 'Trust it…',
      title: 'Trust Scans with people’s sessions?',
      says: /can do everything that they can do/,
      verb: 'Trust it',
      isGuest: false,
      after: /^It runs in the page/,
    },
  ])('changes by $button, which says what that means and asks why', async (row) => {
    const { user, calls } = draw(!row.isGuest)
    expect((await trust()).getByText(row.before)).toBeVisible()
    await user.click((await trust()).getByRole('button', { name: row.button }))
    const dialog = within(await screen.findByRole('dialog', { name: row.title }))
    expect(dialog.getByText(row.says)).toBeInTheDocument()
    expect(dialog.getByRole('button', { name: row.verb })).toBeDisabled()
    await user.type(dialog.getByLabelText(/Reason/), 'another company')
    await user.click(dialog.getByRole('button', { name: row.verb }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(calls(setTrust)).toEqual([
      { part: 'remote-scan', releaseId, reason: 'another company', isGuest: row.isGuest },
    ])
    expect(await (await trust()).findByText(row.after)).toBeVisible()
  })

  it('is not spoken of by a server that tells nothing of guests, nor of host and viewer', async () => {
    draw(undefined)
    await screen.findByRole('region', { name: 'Who is told' })
    expect(screen.queryByRole('region', { name: 'Trust' })).toBeNull()
  })
})
