import { audit, businessUser, scan } from '@dmp/contract'
import { aStudy, aUser, anAuditRow, anId, northClinic } from '@dmp/contract/examples'
import type { AuditRow } from '@dmp/contract/audit'
import type { Study } from '@dmp/contract/scan'
import { answer, renderScreen, type Line, type ScreenOptions } from '@dmp/kit/testing'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'

const draw = (at: string, more: readonly Line[] = [], as: ScreenOptions['as'] = 'admin') =>
  renderScreen(<App notFound={null} />, {
    at,
    as,
    answers: [
      answer(audit.list, { rows: [anAuditRow()], total: 1 }),
      answer(audit.listEvents, []),
      answer(audit.getLastCheck, { check: null }),
      answer(businessUser.get, aUser('staff', { fullName: 'Ms Ada Berg' })),
      ...more,
    ],
  })
const studies = (...rows: readonly Study[]) => answer(scan.listStudies, { rows, total: rows.length })
const about = async () => (await screen.findByText(/^Records (?:of|about)/)).closest('p')!
const of = `organization=${northClinic.id}`
const span = 'from=2026-05-05T09:00:00.000Z&to=2026-05-05T09:40:00.000Z'

describe('what the records of the audit are about', () => {
  it.each([
    ['study=2.25.100', {}, 'Records about the study MR Knee of Sample, Ruth ID P-1001'],
    ['patientOf=2.25.100', {}, 'Records about the patient Sample, Ruth ID P-1001'],
    ['patientOf=2.25.100', { patientName: '', patientID: '' }, 'Records about the patient without a name'],
    ['study=2.25.100', { description: '' }, 'Records about the study MR of Sample, Ruth ID P-1001'],
  ])('of %s, known as %j: %s', async (asked, over, said) => {
    draw(`/audit?${of}&${asked}`, [studies(aStudy(over))])
    await waitFor(async () => expect(await about()).toHaveTextContent(`${said}Show all records`))
    expect(within(await about()).getByRole('link')).toBeVisible()
  })

  it('is the UID where a server answers with somebody else’s study [P02]', async () => {
    const { calls } = draw(`/audit?${of}&patientOf=2.25.1`, [studies(aStudy())])
    await waitFor(() => expect(calls(scan.listStudies)).toHaveLength(1))
    // The answer is drawn in the next turns.
    await act(() => new Promise((drawn) => setTimeout(drawn, 50)))
    expect(await about()).toHaveTextContent('Records about the patient 2.25.1')
    expect(await about()).not.toHaveTextContent('Sample')
  })

  it('has no way to the patient where no organization is said', async () => {
    const { calls } = draw('/audit?study=2.25.100', [studies(aStudy())])
    await waitFor(async () => expect(await about()).toHaveTextContent('MR Knee of Sample, Ruth'))
    expect(within(await about()).queryByRole('link')).toBeNull()
    expect(calls(scan.listStudies)[0]).not.toHaveProperty('organizationId')
  })

  it.each([
    [`${span}&opened=only`, /Ms Ada Berg, opened 2026-05-05, .* – 2026-05-05, /],
    [span, /Ms Ada Berg, 2026-05-05, .* – 2026-05-05, /],
    ['from=2026-05-05T09:00:00.000Z', /Ms Ada BergShow all records$/],
    ['to=2026-05-05T09:00:00.000Z', /Ms Ada BergShow all records$/],
    ['from=yesterday&to=today', /Ms Ada BergShow all records$/],
  ])('is a person, and of when: %s', async (asked, said) => {
    draw(`/audit?person=${anId(7)}&${asked}`)
    await waitFor(async () => expect(await about()).toHaveTextContent(said))
  })

  it('is somebody whom one may not look at', async () => {
    const policy = aUser('admin').policy.filter((entry) => entry.module !== 'BusinessUser')
    renderScreen(<App notFound={null} />, {
      at: `/audit?person=${anId(7)}`,
      as: 'admin',
      user: { policy },
      answers: [
        answer(audit.list, { rows: [], total: 0 }),
        answer(audit.listEvents, []),
        answer(audit.getLastCheck, { check: null }),
      ],
    })
    expect(await about()).toHaveTextContent('Records of one personShow all records')
  })
})

describe('the patient that is looked for', () => {
  it('is named by all that is known, once for all studies, and found missing', async () => {
    const rows = [
      aStudy({ studyUID: '2.25.1' }),
      aStudy({ studyUID: '2.25.2' }),
      aStudy({ studyUID: '2.25.3', patientName: '', patientID: '', birthDate: null }),
    ]
    const { user, calls } = draw('/audit', [
      answer(scan.listStudies, ({ search }) =>
        search === 'slow' ? new Promise<never>(() => undefined) : { rows: search === 'none' ? [] : rows, total: 3 },
      ),
    ])
    await user.click(await screen.findByRole('button', { name: 'Records about a patient…' }))
    const field = screen.getByRole('searchbox', { name: 'Name, ID or study of the patient' })
    const type = (value: string) => fireEvent.change(field, { target: { value } })
    const found = () => within(screen.getByRole('list', { name: 'Patients' })).queryAllByRole('button')
    type('r')
    expect(found()).toEqual([])
    type('ru')
    await waitFor(() =>
      expect(found().map(({ textContent }) => textContent)).toEqual(['Sample, RuthID P-1001 · 1970-02-03', 'No name']),
    )
    type('none')
    expect(await screen.findByText('No patient of your organization matches.')).toBeInTheDocument()
    // While the next ones load nobody is said to be missing.
    type('slow')
    await waitFor(() => expect(calls(scan.listStudies).at(-1)).toMatchObject({ search: 'slow' }))
    expect(screen.queryByText('No patient of your organization matches.')).toBeNull()
    const asked = calls(scan.listStudies).length
    type('x'.repeat(256))
    await waitFor(() => expect(field).toHaveValue('x'.repeat(256)))
    expect(calls(scan.listStudies)).toHaveLength(asked)
  })
})

describe('a row of the audit', () => {
  const uid = (chars: number) => `1.2.${'3'.repeat(chars - 4)}`
  const queried = (...facts: readonly (readonly [string, string])[]): Partial<AuditRow> => ({
    event: 'ScansQueried',
    subject: facts.map(([key, value]) => ({ key, value })),
  })
  it.each([
    [queried(['isSearch', 'true'], ['page', '2']), 'Search, page 2'],
    [queried(['isSearch', 'true'], ['page', 'null']), 'Search'],
    [queried(['isSearch', 'false']), 'List'],
    [queried(['studyUID', uid(23)]), `Study: ${uid(23)}`],
    [queried(['studyUID', uid(24)]), 'Study: …\u206033333333'],
    [queried(['studyUID', ''], ['rows', '3']), 'Rows: 3'],
    [queried(['until', '2026-05-04']), 'Until: 2026-05-04'],
    [queried(['until', 'whenever']), 'Until: whenever'],
  ])('%# says %s', async (over, said) => {
    draw('/audit?lists=shown', [answer(audit.list, { rows: [anAuditRow({ ...over, actorEmail: null })], total: 1 })])
    const table = within(await screen.findByRole('table', { name: 'Audit' }))
    expect(await table.findByText(said)).toBeVisible()
  })

  it('is in the file as it was searched for', async () => {
    URL.createObjectURL = () => 'blob:export'
    const { user, calls } = draw('/audit?searchTerm=berg', [answer(audit.exportRows, [anAuditRow()])])
    await within(await screen.findByRole('table', { name: 'Audit' })).findByText('Scan viewed')
    await user.click(screen.getByRole('button', { name: /export/i }))
    await waitFor(() => expect(calls(audit.exportRows)).toEqual([{ search: 'berg', lists: 'hidden' }]))
    await screen.findByText('1 rows exported.')
  })
})
