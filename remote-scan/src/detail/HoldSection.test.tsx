import { scan } from '@dmp/contract'
import type { LegalHold } from '@dmp/contract/scan'
import { northClinic } from '@dmp/contract/examples'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
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
const draw = (as: 'admin' | 'super_admin', rows: LegalHold[]) =>
  renderScreen(<HoldSection organizationId={northClinic.id} studyUID="1.2.3" name="Sample, Ruth" />, {
    at: '/',
    as,
    answers: [answer(scan.listHolds, { rows, total: rows.length })],
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
})
