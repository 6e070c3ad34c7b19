import { audit } from '@dmp/contract'
import { anActivity, anId, northClinic } from '@dmp/contract/examples'
import type { Activity } from '@dmp/contract/audit'
import { CallError } from '@dmp/kit'
import { answer, renderScreen, type ScreenOptions } from '@dmp/kit/testing'
import { screen, waitFor } from '@testing-library/react'
import { ActivitySection, type ActivitySectionProps } from './ActivitySection.tsx'

const ofPatient = { organizationId: northClinic.id, studyUID: '2.25.100', isPatient: true } as const
const draw = (
  rows: readonly Activity[],
  of: ActivitySectionProps['of'] = ofPatient,
  options: Partial<ScreenOptions> = {},
) =>
  renderScreen(<ActivitySection of={of} />, {
    at: '/',
    as: 'admin',
    answers: [answer(audit.listActivity, { rows: [...rows], total: rows.length })],
    ...options,
  })
const facts = (values: Record<string, string>) => Object.entries(values).map(([key, value]) => ({ key, value }))
const lines = async () =>
  (await screen.findAllByRole('listitem')).map((item) =>
    item.querySelector(':scope > span')?.textContent.replace(/\s+/g, ' ').trim(),
  )

/** Each event with what stands in the sentence, between the person and the end. */
const sentences: readonly [string, Record<string, string>, string][] = [
  ['ScanViewed', {}, 'Ms Ada Berg viewed MR Knee'],
  ['ScanDownloaded', {}, 'Ms Ada Berg downloaded MR Knee'],
  ['ScanDownloaded', { resumedAtByte: '100' }, 'Ms Ada Berg went on downloading MR Knee'],
  ['ScanShared', { recipient: 'dr@example.org' }, 'Ms Ada Berg shared MR Knee with dr@example.org'],
  ['ScanShared', {}, 'Ms Ada Berg shared MR Knee'],
  ['ScansTransferred', { anonymize: 'false' }, 'Ms Ada Berg sent MR Knee to another organization'],
  ['ScansTransferred', { anonymize: 'true' }, 'Ms Ada Berg sent MR Knee to another organization, without identity'],
  ['TransferStopped', {}, 'Ms Ada Berg stopped the transfer of MR Knee'],
  ['ScansHeldBack', {}, 'Ms Ada Berg held back MR Knee until somebody looks at its pictures'],
  ['HeldScansDecided', { decision: 'Send' }, 'Ms Ada Berg looked at the pictures of MR Knee and sent it'],
  ['HeldScansDecided', { decision: 'LeaveOut' }, 'Ms Ada Berg left MR Knee out of a transfer'],
  ['ScansUploaded', { instances: '1' }, 'Ms Ada Berg uploaded 1 image of MR Knee'],
  ['ScansDeleted', { instances: '28' }, 'Ms Ada Berg deleted 28 images of MR Knee'],
  ['ScansUploaded', { instances: '51', series: '1.2, 1.3' }, 'Ms Ada Berg uploaded images of MR Knee'],
  ['ScansDeleted', { instances: 'all' }, 'Ms Ada Berg deleted images of MR Knee'],
  ['ScansRestored', { instances: '3' }, 'Ms Ada Berg took 3 images back of MR Knee'],
  ['ScansRestored', {}, 'Ms Ada Berg took images back of MR Knee'],
  ['ScansPurged', { instances: '1' }, 'Ms Ada Berg deleted 1 image for good of MR Knee'],
  ['ScansPurged', {}, 'Ms Ada Berg deleted images for good of MR Knee'],
  ['ScansErased', { instances: '2' }, 'Ms Ada Berg erased the bytes of 2 images of MR Knee'],
  ['ScansErased', {}, 'Ms Ada Berg erased the bytes of images of MR Knee'],
  ['ShareRevoked', {}, 'Ms Ada Berg ended a share link of MR Knee'],
  ['SignedIn', {}, 'Ms Ada Berg signed in'],
  ['SomethingNewer', {}, 'Ms Ada Berg something newer'],
]

describe('activity', () => {
  it.each(sentences)('says %s with %j as "%s" [P24]', async (event, subject, expected) => {
    draw([anActivity({ event, subject: facts(subject) })])
    expect(await lines()).toEqual([expected])
  })

  it('says who used a link by the mail address, else that somebody had it', async () => {
    const used = { event: 'ShareUsed', actor: null }
    draw([
      anActivity({ ...used, id: anId(1), subject: facts({ email: 'dr@example.org' }) }),
      anActivity({ ...used, id: anId(2), subject: [] }),
      anActivity({
        event: 'ScanViewed',
        actor: null,
        id: anId(3),
        subject: facts({ shareId: 'x', email: 'dr@example.org' }),
      }),
      anActivity({ event: 'ScanViewed', actor: null, id: anId(4), subject: facts({ shareId: 'x' }) }),
    ])
    expect(await lines()).toEqual([
      'Somebody with the link for dr@example.org opened the share link of MR Knee',
      'Somebody with the link opened the share link of MR Knee',
      'Somebody with the link for dr@example.org viewed MR Knee',
      'Somebody with the link viewed MR Knee',
    ])
  })

  it.each([
    ['ScanDownloaded', {}, 'Somebody with the link downloaded MR Knee'],
    ['SignInFailed', { email: 'ada@example.org' }, 'ada@example.org could not sign in'],
    ['SignInFailed', {}, 'Somebody could not sign in'],
    ['RegistrationAdded', {}, 'Somebody asked to register'],
    ['AuditChecked', {}, 'The platform checked the audit'],
  ])('says who it was where nobody was signed in: %s with %j is "%s" [P24]', async (event, subject, expected) => {
    draw([anActivity({ event, actor: null, subject: facts(subject) })])
    expect(await lines()).toEqual([expected])
  })

  it('has words for a scan that says nothing of itself, and for a patient without a name', async () => {
    const scan = { organizationId: northClinic.id, studyUID: '1.2', patientName: '', description: '', modalities: [] }
    draw([anActivity({ scan })], { actorId: anId(7) })
    expect(await lines()).toEqual(['Ms Ada Berg viewed a study of a patient without a name'])
  })

  it('says a modality once, and of what nobody did that the platform did it', async () => {
    const scan = {
      organizationId: northClinic.id,
      studyUID: '1.2',
      patientName: '',
      description: 'MR Knee',
      modalities: ['MR', 'SR'],
    }
    draw([anActivity({ event: 'ScansUploaded', actor: null, subject: facts({ instances: '2' }), scan })])
    expect(await lines()).toEqual(['The platform uploaded 2 images of SR MR Knee'])
  })

  it('of a person names the patient, who stands above the page otherwise', async () => {
    draw([anActivity()], { actorId: anId(7) })
    expect(await lines()).toEqual(['Ms Ada Berg viewed MR Knee of Sample, Ruth'])
  })

  it('says of a scan that is gone that it is gone', async () => {
    draw([anActivity({ event: 'ScansDeleted', scan: null, subject: facts({ instances: '3' }) })])
    expect(await lines()).toEqual(['Ms Ada Berg deleted 3 images of a scan that is gone'])
  })

  it('tells what was done again and again once, but not across something else or another day', async () => {
    const at = (day: number, hour: number) => new Date(2026, 4, day, hour).toISOString()
    draw([
      anActivity({ id: anId(1), at: at(6, 12) }),
      anActivity({ id: anId(2), at: at(6, 11) }),
      anActivity({ id: anId(3), at: at(6, 10), event: 'ScanDownloaded' }),
      anActivity({ id: anId(4), at: at(6, 9) }),
      anActivity({ id: anId(5), at: at(5, 9) }),
    ])
    await screen.findByText('2026-05-05')
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent.trim())).toEqual([
      '12:00Ms Ada Berg viewed MR Knee 2 times',
      '10:00Ms Ada Berg downloaded MR Knee',
      '09:00Ms Ada Berg viewed MR Knee',
      '09:00Ms Ada Berg viewed MR Knee',
    ])
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      '2026-05-06',
      '2026-05-05',
    ])
  })

  it('leads to the record of each line and to all of them in the audit [P24]', async () => {
    draw([anActivity({ id: anId(9) })])
    expect((await screen.findByTitle('Its record in the audit')).getAttribute('href')).toBe(`/audit/detail/${anId(9)}`)
    expect(screen.getByRole('link', { name: 'Records in the audit' }).getAttribute('href')).toBe(
      `/audit?organization=${northClinic.id}&patientOf=2.25.100`,
    )
  })

  it('marks what was refused', async () => {
    draw([anActivity({ event: 'AccessRefused', outcome: 'refused', scan: null })])
    expect((await lines())[0]).toMatch(/was refused access.*Refused/)
  })

  it('tells apart what was refused of different things, though no scan is known of either', async () => {
    const refused = (id: number, on: string) =>
      anActivity({ id: anId(id), event: 'AccessRefused', scan: null, subject: facts({ on }) })
    draw([refused(1, 'a'), refused(2, 'a'), refused(3, 'b')])
    expect(await lines()).toEqual(['Ms Ada Berg was refused access 2 times', 'Ms Ada Berg was refused access'])
  })

  it.each([
    [100, null],
    [101, 'All 101 records are in the audit.'],
  ])('shows a hundred lines of %i and leads to the audit for more', async (total, rest) => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, at) => anActivity({ id: anId(100 + at), actor: `Person ${at}` }))
    const { user } = draw([], ofPatient, {
      answers: [answer(audit.listActivity, ({ pageSize }) => ({ rows: rows(Number(pageSize)), total }))],
    })
    for (const shown of [20, 40, 60, 80]) {
      await screen.findByText(`Person ${shown - 1}`)
      await user.click(screen.getByRole('button', { name: 'Show earlier' }))
    }
    await screen.findByText('Person 99')
    expect(screen.queryByRole('button', { name: 'Show earlier' })).toBeNull()
    expect(screen.queryByRole('link', { name: /^All/ })?.textContent ?? null).toBe(rest)
  })

  it('shows earlier lines on request', async () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, at) => anActivity({ id: anId(100 + at), actor: `Person ${at}` }))
    const { user, calls } = draw([], ofPatient, {
      answers: [answer(audit.listActivity, ({ pageSize }) => ({ rows: rows(Number(pageSize)), total: 30 }))],
    })
    await user.click(await screen.findByRole('button', { name: 'Show earlier' }))
    await screen.findByText('Person 39')
    expect(calls(audit.listActivity).map(({ pageSize }) => pageSize)).toEqual(['20', '40'])
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Show earlier' })).toBeNull())
  })

  it('names whom something was done to, as a way to them, where the viewer may see them [P24]', async () => {
    const affected = { id: anId(8), fullName: 'Mr Noah Weber', email: 'noah@example.org' }
    const { calls } = draw(
      [
        anActivity({ id: anId(1), event: 'UserDeactivated', subject: facts({ userId: affected.id }), affected }),
        anActivity({ id: anId(2), event: 'UserAdded', subject: facts({ userId: anId(9) }) }),
      ],
      { affectedId: affected.id },
    )
    expect(await screen.findByRole('heading', { name: 'What was done to this account' })).toBeVisible()
    expect(await lines()).toEqual(['Ms Ada Berg deactivated Mr Noah Weber', 'Ms Ada Berg added a person'])
    expect(screen.getByRole('link', { name: 'Mr Noah Weber' })).toHaveAttribute('href', `/user/detail/${affected.id}`)
    expect(calls(audit.listActivity)).toEqual([{ affectedId: affected.id, page: '1', pageSize: '20' }])
    expect(screen.getByRole('link', { name: 'Records in the audit' })).toHaveAttribute(
      'href',
      `/audit?affected=${affected.id}`,
    )
  })

  it('says that there is none', async () => {
    draw([])
    expect(await screen.findByText('Nothing is recorded yet.')).toBeVisible()
  })

  it('says what went wrong', async () => {
    draw([], ofPatient, {
      answers: [answer(audit.listActivity, new CallError(503, 'NOT_READY', 'The database is restarting.'))],
    })
    expect(await screen.findByRole('alert')).toHaveTextContent('The database is restarting.')
  })

  it('is neither shown nor asked for without the right to read the audit [P01]', () => {
    const { calls } = draw([anActivity()], ofPatient, { as: 'staff' })
    expect(screen.queryByRole('heading', { name: 'Activity' })).toBeNull()
    expect(calls(audit.listActivity)).toEqual([])
  })
})
