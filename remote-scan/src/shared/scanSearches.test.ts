import { organization, scan } from '@dmp/contract'
import { aScanRow, aStudy, northClinic, southClinic } from '@dmp/contract/examples'
import { call, session, type FoundItem, type Search } from '@dmp/kit'
import { answer, placeSettings, serve, signInAs, type Line, type Role } from '@dmp/kit/testing'
import { searchPatients, searchStudies } from './scanSearches.ts'

const studies = [
  aStudy(),
  aStudy({ studyUID: '2.25.101', description: 'Heart', series: [aScanRow({ seriesUID: '2.25.301' })] }),
  aStudy({ studyUID: '2.25.102', patientName: 'Example, Jonas', patientID: 'P-2', description: 'CT Ruthless' }),
]

async function run(search: Search, term: string, { as = 'staff', answers = [] }: Options = {}) {
  const { apiRoot } = placeSettings()
  signInAs(as)
  const { made } = serve([answer(scan.listStudies, { rows: studies, total: 3 }), ...answers], apiRoot)
  const places: string[] = []
  const sayPlace = (place: string) => void places.push(place)
  const found = await search({ term, limit: 25, user: session.get().user!, ask: call, sayPlace })
  return {
    found,
    places,
    inputs: made.filter(({ endpoint }) => endpoint.name === scan.listStudies.name).map(({ input }) => input),
  }
}
interface Options {
  readonly as?: Role
  readonly answers?: readonly Line[]
}

const show = ({ text, note, when, to }: FoundItem): string => [text, note, when, to].join(' | ')

describe('the searches of scans', () => {
  it('find studies by words in any order, with patient, kind and day [P33]', async () => {
    const { found, inputs } = await run(searchStudies, 'ruth knee')
    expect(inputs).toEqual([
      expect.objectContaining({ search: 'ruth knee', organizationId: northClinic.id, page: '1', pageSize: '25' }),
    ])
    expect(found.map(show)[0]).toBe(
      `Knee | Sample, Ruth · P-1001 · born 1970-02-03 · MR · A-1 · 20 images | 2026-05-04 | /scan/detail/${northClinic.id}/2.25.200`,
    )
    expect(found).toHaveLength(3)
  })

  it('gather a patient’s studies, and leave out those found for another reason', async () => {
    const { found } = await run(searchPatients, 'ruth')
    expect(found.map(show)).toEqual([
      `Sample, Ruth | P-1001 · born 1970-02-03 · 2 studies | 2026-05-04 | /scan/patient/${northClinic.id}/2.25.100`,
    ])
  })

  it.each([
    ['its modality', { modalities: ['CT', 'PT'] }, 'CT PT'],
    ['a word', { modalities: [] }, 'Study'],
    [
      'its series',
      { modalities: [], series: ['Cine', 'Late'].map((n) => aScanRow({ seriesDescription: n })) },
      'Cine + 1',
    ],
  ])('call a study of which little is known by %s, and its patient without a name', async (_, over, expected) => {
    const series = [aScanRow({ seriesDescription: '' })]
    const bare = { description: '', patientName: '', birthDate: null, accessionNumber: '', images: 1, series, ...over }
    const answers = [answer(scan.listStudies, { rows: [aStudy(bare)], total: 1 })]
    const [item] = (await run(searchStudies, 'P-1001', { answers })).found
    expect(item?.text).toBe(expected)
    expect(item?.note).toMatch(/^No name · P-1001 · .*1 image$/)
    const [patient] = (await run(searchPatients, 'P-1001', { answers })).found
    expect(patient).toMatchObject({ text: 'No name', note: 'P-1001 · 1 study' })
  })

  it('lead to the worklist where a study has no series, by the day on which it came where it has none', async () => {
    const rows = [aStudy({ series: [], studyDate: null, arrivedDate: '2026-05-05T08:00:00.000Z' })]
    const { found } = await run(searchStudies, 'ruth', { answers: [answer(scan.listStudies, { rows, total: 1 })] })
    expect(found).toMatchObject([{ to: '/scan/worklist', when: '2026-05-05' }])
  })

  it('put nothing that names a patient into an address [P23]', async () => {
    for (const search of [searchPatients, searchStudies])
      for (const { to } of (await run(search, 'ruth')).found) expect(to).not.toMatch(/Ruth|Sample|P-1001/i)
  })

  it('look where the provider’s people look at scans, and say where that is', async () => {
    const { found, places, inputs } = await run(searchStudies, 'ruth', {
      as: 'super_admin',
      answers: [answer(organization.listActivated, [southClinic, northClinic])],
    })
    expect(inputs).toEqual([expect.objectContaining({ organizationId: southClinic.id })])
    expect(found[0]?.note).toContain(southClinic.name)
    expect(places).toEqual([southClinic.name])
    expect((await run(searchStudies, 'ruth')).places).toEqual([])
  })

  it('find nothing where there is no organization', async () => {
    const options: Options = { as: 'super_admin', answers: [answer(organization.listActivated, [])] }
    expect((await run(searchPatients, 'ruth', options)).found).toEqual([])
  })
})
