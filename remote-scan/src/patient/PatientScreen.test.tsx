import { audit, scan } from '@dmp/contract'
import { aScanRow, aStudy, anActivity, northClinic } from '@dmp/contract/examples'
import type { Study } from '@dmp/contract/scan'
import { answer, renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { App } from '../App.tsx'

const study = (uid: string, over: Partial<Study> = {}): Study =>
  aStudy({
    studyUID: uid,
    patientName: 'Sample, Ruth',
    patientID: 'P-1',
    birthDate: '1970-01-02',
    sex: 'Female',
    images: 10,
    series: [aScanRow({ studyUID: uid, seriesUID: `${uid}.1` })],
    ...over,
  })
const newest = study('2.25.103', { studyDate: '2025-06-01', description: 'Knee again', modalities: ['MR'] })
const oldest = study('2.25.101', { studyDate: '2019-02-03', description: 'Knee', modalities: ['CT'], isShared: true })
const stranger = study('2.25.104', { patientID: 'P-2', patientName: 'Example, Jonas' })

const draw = (rows: readonly Study[], total = rows.length, as: 'admin' | 'staff' = 'admin') =>
  renderScreen(<App notFound={null} />, {
    at: `/scan/patient/${northClinic.id}/2.25.101`,
    as,
    answers: [
      answer(scan.listStudies, { rows: [...rows], total }),
      answer(audit.listActivity, { rows: [anActivity()], total: 1 }),
    ],
  })

describe('the page of a patient', () => {
  it('has the studies as they were made, the newest first, with what is known of each', async () => {
    const { calls } = draw([newest, oldest])
    const headings = await screen.findAllByRole('heading', { level: 3, name: /Knee/ })
    expect(headings.map(({ textContent }) => textContent)).toEqual(['Knee again', 'Knee'])
    expect(calls(scan.listStudies)[0]).toMatchObject({
      organizationId: northClinic.id,
      patientOf: '2.25.101',
      sort: 'studyDate',
      direction: 'desc',
    })
    expect(screen.getByRole('heading', { name: '2 studies' })).toBeVisible()
    const item = headings[1]?.closest('li')
    expect(item).toHaveTextContent('2019-02-03')
    expect(item).toHaveTextContent('CT')
    expect(item).toHaveTextContent('Shared')
    expect(item).toHaveAttribute('aria-current', 'true')
    expect(headings[0]?.closest('li')).toHaveAttribute('aria-current', 'false')
  })

  it('names the patient above, but neither in the address nor in the title of the tab [P23]', async () => {
    const { path } = draw([newest, oldest])
    const header = await screen.findByRole('group', { name: 'Patient' })
    for (const fact of ['Sample, Ruth', 'ID P-1', 'Born 1970-01-02', 'Female', 'CT', 'MR', '2019–2025', '20 images'])
      expect(header).toHaveTextContent(fact)
    expect(document.title).toContain('Patient')
    expect(document.title).not.toContain('Ruth')
    expect(path()).not.toContain('P-1')
  })

  it('leaves out studies of others that a server answers which does not know the question [P02]', async () => {
    draw([newest, stranger, oldest])
    await screen.findByRole('heading', { name: '2 studies' })
    expect(screen.queryByText('Example, Jonas')).toBeNull()
  })

  it('warns where studies of one ID have different people, and says which', async () => {
    draw([newest, { ...oldest, patientName: 'Sample, Rita', birthDate: '1971-01-02' }])
    expect(await screen.findByRole('alert')).toHaveTextContent('Studies with the ID P-1 have different names')
    expect(screen.getByText('Sample, Rita, born 1971-01-02')).toBeVisible()
  })

  it.each(['SAMPLE, RUTH', 'Sample Ruth', 'Sämple, Rúth'])('takes %s for the same name', async (patientName) => {
    draw([newest, { ...oldest, patientName }])
    await screen.findByRole('heading', { name: '2 studies' })
    expect(screen.queryByText(/different names/)).toBeNull()
  })

  it('says what became of a study that is gone, and leads back', async () => {
    draw([])
    expect(await screen.findByText(/not here any more, or you have no access/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Back to the worklist' })).toHaveAttribute('href', '/scan/worklist')
  })

  it('says how many older studies there are beside those that it shows', async () => {
    draw([newest, oldest], 120)
    expect(await screen.findByText(/newest 2 of 120 studies/)).toBeVisible()
  })

  it('opens what a study can be asked for, without the way to itself', async () => {
    const { user } = draw([newest, oldest])
    await user.click(await screen.findByRole('button', { name: 'More for Knee again, 2025-06-01' }))
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
      'Open details',
      'Share…',
      'Download…',
      'Transfer…',
      'Delete…',
    ])
  })

  it('shows who did what to people who may read the audit, and to nobody else [P01, P24]', async () => {
    const { unmount } = draw([newest, oldest])
    expect(await screen.findByText('Ms Ada Berg')).toBeVisible()
    unmount()
    draw([newest, oldest], 2, 'staff')
    await screen.findByRole('heading', { name: '2 studies' })
    expect(screen.queryByRole('heading', { name: 'Activity' })).toBeNull()
  })
})
