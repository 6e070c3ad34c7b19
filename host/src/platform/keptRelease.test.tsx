import { history, keep, status, type ShownPart } from '@dmp/contract/releaseCalls'
import { listPreviews } from '@dmp/contract/releasePreview'
import { answer } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { Pages } from '../pages/Pages.tsx'
import { placeSnapshot } from '../testing/createRemote.ts'
import { renderPage } from '../testing/renderPage.ts'
import { releaseId, scans, watch } from '../testing/shownPart.ts'

const { live } = scans
const kept = { by: 'ann@dmp.example', at: '2026-11-21T09:00:00Z', reason: 'closes a hole' }

const draw = (part: ShownPart) => {
  placeSnapshot()
  return renderPage(<Pages />, {
    at: '/platform',
    as: 'super_admin',
    answers: [
      answer(status, { version: 2, parts: [part], watch }),
      answer(history, []),
      answer(listPreviews, []),
      answer(keep, null),
    ],
  })
}
const card = async () => within(await screen.findByRole('region', { name: 'Scans' }))

describe('a release on the platform screen', () => {
  it.each([
    ['Keep…', 'Keep this release of Scans?', 'Keep it', live, true],
    ['Stop keeping…', 'Stop keeping this release of Scans?', 'Stop keeping it', { ...live, kept }, false],
  ] as const)('%s asks for a reason, then marks the release that was seen [P31]', async (...row) => {
    const [button, title, verb, release, isKept] = row
    const { user, calls } = draw({ ...scans, live: release })
    await user.click((await card()).getByRole('button', { name: button }))
    const dialog = within(await screen.findByRole('dialog', { name: title }))
    await user.type(dialog.getByLabelText(/Reason/), 'closes a hole')
    await user.click(dialog.getByRole('button', { name: verb }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(calls(keep)).toEqual([{ part: 'remote-scan', releaseId, reason: 'closes a hole', isKept }])
  })

  it('is shown as kept, by whom and why, and with the failures that do not count [P31]', async () => {
    draw({ ...scans, live: { ...live, kept, figures: { ...live.figures, strangers: 12 } } })
    const part = await card()
    expect(part.getByText('Kept')).toBeVisible()
    expect(part.getByText(/by ann@dmp\.example, .*: it does not roll back automatically\. closes a hole/)).toBeVisible()
    expect(part.getByText(/12 more failures were reported without a user/)).toBeVisible()
    expect(screen.getByText(/separately in at least 2 organizations\./)).toBeVisible()
  })

  it.each([true, false])('says whether the part is a guest: %s', async (isGuest) => {
    draw({ ...scans, isGuest })
    expect((await card()).queryAllByText('Guest')).toHaveLength(isGuest ? 1 : 0)
  })

  it('that came by a rollback offers the one that was taken back as a way forward, not as a rollback in red', async () => {
    const before = { releaseId: 'b'.repeat(16), version: '1.5.0' }
    const { user } = draw({ ...scans, before, isRolledBack: true })
    const forward = (await card()).getByRole('button', { name: 'Go forward again to 1.5.0…' })
    expect(forward).not.toHaveClass('dmp-button--danger')
    await user.click(forward)
    const dialog = within(await screen.findByRole('dialog', { name: 'Go forward again with Scans?' }))
    expect(dialog.getByText(/1\.5\.0 was taken back\. Everyone gets it again/)).toBeInTheDocument()
    expect(dialog.getByRole('button', { name: 'Go forward' })).not.toHaveClass('dmp-button--danger')
  })
})
