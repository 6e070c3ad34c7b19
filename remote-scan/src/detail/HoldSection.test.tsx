import { scan } from '@dmp/contract'
import type { LegalHold } from '@dmp/contract/scan'
import { northClinic } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type Line } from '@dmp/kit/testing'
import { screen, within } from '@testing-library/react'
import { HoldSection } from './HoldSection.tsx'

const aHold = (changes: Partial<LegalHold>): LegalHold => ({
  id: northClinic.id,
  organizationId: northClinic.id,
  studyUID: '1.2.3',
  patientName: 'Sample, Ruth',
  studyDescription: 'Knee',
  seriesUID: '1.2.3.4',
  reason: 'Court',
  heldByUser: 'Ms Ada Berg',
  isByProvider: false,
  heldDate: '2026-05-06T09:00:00.000Z',
  endedDate: null,
  endedByUser: null,
  ...changes,
})
const own = aHold({ reason: 'Own reason' })
const ofProvider = aHold({ id: '00000000-0000-4000-8000-00000000aaaa', reason: 'Of the provider', isByProvider: true })
const draw = (as: 'admin' | 'super_admin', rows: LegalHold[], ...more: Line[]) =>
  renderScreen(<HoldSection organizationId={northClinic.id} studyUID="1.2.3" name="Sample, Ruth" />, {
    at: '/',
    as,
    answers: [answer(scan.listHolds, () => ({ rows, total: rows.length })), ...more],
  })
const holdButton = () => screen.queryByRole('button', { name: 'Put under legal hold…' })

describe('the legal holds of a study [P54]', () => {
  it.each([
    ['admin', [ofProvider], true],
    ['admin', [own], false],
    ['super_admin', [own], true],
    ['super_admin', [ofProvider], false],
    ['admin', [own, ofProvider], false],
  ] as const)('for %s are those of both sides, and one that is not their own is no bar (%#)', async (as, rows, may) => {
    draw(as, [...rows])
    for (const { reason } of rows) expect(await screen.findByText(reason)).toBeVisible()
    expect(holdButton() !== null).toBe(may)
  })

  it('that have ended are none', async () => {
    draw('admin', [aHold({ endedDate: '2026-05-07T09:00:00.000Z', reason: 'Over' })])
    expect(await screen.findByText('This study can be deleted by those who may delete scans.')).toBeVisible()
    expect([screen.queryByText('Over'), holdButton() !== null]).toEqual([null, true])
  })

  it('begin with a reason, and the study is said to be held then', async () => {
    const rows: LegalHold[] = []
    const begin = answer(scan.hold, ({ reason }) => {
      rows.push(aHold({ reason }))
      return aHold({ reason })
    })
    const { user, calls } = draw('admin', rows, begin)
    await user.click(await screen.findByRole('button', { name: 'Put under legal hold…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Legal hold' }))
    await user.type(dialog.getByLabelText('Reason'), 'Asked for by the court')
    await user.click(dialog.getByRole('button', { name: 'Put under legal hold' }))
    expect(await screen.findByText('The study is under legal hold')).toBeVisible()
    expect(calls(scan.hold)).toEqual([
      { organizationId: northClinic.id, studyUID: '1.2.3', reason: 'Asked for by the court' },
    ])
    expect(await screen.findByText('Asked for by the court')).toBeVisible()
  })

  it('end after a question, each by its own button, or say why not', async () => {
    const rows = [own, ofProvider]
    const end = answer(scan.endHold, ({ id }) => {
      if (id === ofProvider.id) return new CallError(409, 'OF_THE_PROVIDER', 'Only the provider ends it.')
      rows.splice(0, 1)
      return own
    })
    const { user, calls } = draw('admin', rows, end)
    const buttons = await screen.findAllByRole('button', { name: 'End the legal hold of Sample, Ruth · Knee' })
    const confirm = async (button: HTMLElement) => {
      await user.click(button)
      const dialog = within(await screen.findByRole('dialog', { name: 'End the legal hold?' }))
      await user.click(dialog.getByRole('button', { name: 'End legal hold' }))
    }
    await confirm(buttons[1]!)
    expect(await screen.findByText('Only the provider ends it.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await confirm(buttons[0]!)
    expect(await screen.findByText('The legal hold has ended')).toBeVisible()
    expect(screen.queryByText('Own reason')).toBeNull()
    expect(screen.getByText('Of the provider')).toBeVisible()
    expect(calls(scan.endHold).map(({ id }) => id)).toEqual([ofProvider.id, own.id])
  })
})
