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

  it('shows the newest where the study that was asked for is older than all of them', async () => {
    draw([newest, study('2.25.102')], 120)
    expect(await screen.findByText(/newest 2 of 120 studies/)).toBeVisible()
    expect(screen.getByRole('heading', { level: 1, name: 'Sample, Ruth' })).toBeVisible()
  })

  it('shows no one’s, even then, where they are of several patients [P02]', async () => {
    draw([newest, stranger], 120)
    expect(await screen.findByText(/not here any more, or you have no access/)).toBeVisible()
  })

  it('shows no one’s, even then, where nobody has an ID [P02]', async () => {
    draw([study('2.25.103', { patientID: '' }), study('2.25.105', { patientID: '' })], 120)
    expect(await screen.findByText(/not here any more, or you have no access/)).toBeVisible()
  })

  it('takes nobody for the same patient without an ID, and names what is not known [P02]', async () => {
    const bare = study('2.25.101', {
      patientName: '',
      patientID: '',
      birthDate: null,
      sex: null,
      studyDate: null,
      description: '',
      seriesCount: 9,
      series: Array.from({ length: 7 }, (_, n) => aScanRow({ seriesUID: `2.25.9${n}`, seriesDescription: '' })),
    })
    draw([bare, study('2.25.105', { patientID: '' })])
    expect(await screen.findByRole('heading', { level: 1, name: 'No name' })).toBeVisible()
    expect(screen.getByRole('heading', { name: '1 study' })).toBeVisible()
    expect(screen.getByRole('heading', { level: 3 })).toHaveTextContent('Study without a description')
    expect(screen.getByText('No date')).toBeVisible()
    expect(screen.getByText(/^and 3 more series · /)).toBeVisible()
    expect(screen.queryByText(/In this study/)).toBeNull()
  })

  it.each([
    ['birth date', { birthDate: '1971-01-02' }, 'born 1971-01-02'],
    ['sex', { sex: 'Male' }, 'Male'],
    ['missing name', { patientName: '' }, 'No name'],
  ])('says in a study its other %s', async (_, over, said) => {
    draw([newest, { ...oldest, ...over }])
    expect(await screen.findByText(said, { selector: 'bdi' })).toBeVisible()
    expect(screen.queryByRole('alert') !== null).toBe(!('patientName' in over))
  })

  it.each([{ birthDate: null }, { sex: null }])('says nothing of one that is not known there: %j', async (over) => {
    draw([newest, { ...oldest, ...over }])
    await screen.findByRole('heading', { name: '2 studies' })
    expect(screen.queryByText(/In this study/)).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('has no link into a study without series', async () => {
    draw([newest, { ...oldest, series: [], seriesCount: 0 }])
    const heading = await screen.findByRole('heading', { level: 3, name: 'Knee' })
    expect(heading.querySelector('a')).toBeNull()
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
