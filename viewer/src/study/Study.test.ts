import { tag } from '@dmp/dicom'
import { ViewerFailure } from '../failure.ts'
import { readAddress } from '../address.ts'
import { prior } from '../testing/priors.ts'
import { Study } from './Study.ts'

const series = (uid: string, modality: string, number: number) => ({
  [tag.SeriesInstanceUID]: { Value: [uid] },
  [tag.Modality]: { Value: [modality] },
  [tag.SeriesNumber]: { Value: [number] },
})
const report = { [tag.SOPInstanceUID]: { Value: ['1.2.3.9'] } }
const syntax = (uid: string) => ({ [tag.AvailableTransferSyntaxUID]: { Value: [uid] } })
const image = {
  [tag.SOPInstanceUID]: { Value: ['1.2.3.1'] },
  [tag.Rows]: { Value: [2] },
  [tag.Columns]: { Value: [2] },
}

/** A DICOMweb server that answers by the end of the address; what it does not know is a 404. */
function serve(answers: Record<string, unknown>, asked: string[] = []) {
  globalThis.fetch = jest.fn(async (input: RequestInfo | URL) => {
    const path = String(input)
    asked.push(path)
    const key = Object.keys(answers).find((end) => path.endsWith(end))
    const answer = key === undefined ? 404 : answers[key]
    return typeof answer === 'number' ? new Response(null, { status: answer }) : Response.json(answer)
  })
  return asked
}

const kindOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (thrown: unknown) => (thrown instanceof ViewerFailure ? thrown.kind : thrown),
  )

describe('the study', () => {
  const real = globalThis.fetch
  afterEach(() => {
    globalThis.fetch = real
  })

  it('opens on the series of the launch, else on the first with pictures [7.42]', async () => {
    serve({ '/studies/1.2/series': [series('1.2.2', 'CT', 2), series('1.2.1', 'SR', 1), series('1.2.3', 'MR', 3)] })
    const study = await Study.find(readAddress('?StudyInstanceUIDs=1.2'))
    expect(study.entries.map(({ uid }) => uid)).toEqual(['1.2.1', '1.2.2', '1.2.3'])
    expect(study.first(undefined).uid).toBe('1.2.2')
    expect(study.first('1.2.3').uid).toBe('1.2.3')
    expect(study.first('9.9').uid).toBe('1.2.2')
  })

  it('of a share link is every series that it opens, study by study, read below its own root [P25]', async () => {
    const ofStudy = (study: string, ...rest: Parameters<typeof series>) => ({
      ...series(...rest),
      [tag.StudyInstanceUID]: { Value: [study] },
    })
    await jest.isolateModulesAsync(async () => {
      const { readShare } = await import('../dicomweb/client.ts')
      const { Study: SharedStudy } = await import('./Study.ts')
      const id = '0f0e0d0c-0000-4000-8000-00000000000a'
      readShare(id)
      const asked = serve({
        [`/shared/${id}/series`]: [
          ofStudy('1.3', '1.3.1', 'MR', 1),
          ofStudy('1.2', '1.2.2', 'CT', 2),
          ofStudy('1.3', '1.3.0', 'MR', 0),
        ],
        '/metadata': [image],
      })
      const study = await SharedStudy.find(readAddress(`?share=${id}`))
      expect(study.entries.map(({ uid }) => uid)).toEqual(['1.3.0', '1.3.1', '1.2.2'])
      const opened = await study.open(study.entries[2]!)
      expect(asked.at(-1)).toBe(`/dicom-web/shared/${id}/studies/1.2/series/1.2.2/metadata`)
      expect(opened.slices[0]?.imageId).toContain(`/dicom-web/shared/${id}/studies/1.2/series/1.2.2/`)
      serve({})
      await expect(SharedStudy.find(readAddress(`?share=${id}`))).rejects.toMatchObject({ kind: 'link-ended' })
    })
  })

  it('knows of several studies whose they are before one is opened, and puts nobody else beside [7.42, P25]', async () => {
    const ofPatient = (study: string, patient: string) => ({
      [tag.StudyInstanceUID]: { Value: [study] },
      [tag.PatientID]: { Value: [patient] },
    })
    serve({
      '/studies/1.2/series': [series('1.2.1', 'CT', 1)],
      '/studies/1.3/series': [series('1.3.1', 'CT', 1)],
      '/studies/1.4/series': [series('1.4.1', 'CT', 1)],
      '/studies?StudyInstanceUID=1.2,1.3,1.4': [
        ofPatient('1.2', 'P-1'),
        ofPatient('1.3', 'P-2'),
        ofPatient('1.4', 'P-1'),
      ],
    })
    const study = await Study.find(readAddress('?StudyInstanceUIDs=1.2,1.3,1.4'))
    expect(study.subjectOf('1.3')?.patientId).toBe('P-2')
    expect(study.nextBeside('1.2.1', ['1.2.1'])?.uid).toBe('1.4.1')
    expect(study.nextBeside('1.3.1', ['1.3.1'])).toBeUndefined()
  })

  it('asks the same origin, and for each series once [7.42]', async () => {
    const asked = serve({ '/studies/1.2/series': [series('1.2.3', 'MR', 3)], '/series/1.2.3/metadata': [image] })
    const study = await Study.find(readAddress('?StudyInstanceUIDs=1.2'))
    const [first, second] = await Promise.all([study.open(study.entries[0]!), study.open(study.entries[0]!)])
    expect(first).toBe(second)
    expect(asked).toEqual(['/dicom-web/studies/1.2/series', '/dicom-web/studies/1.2/series/1.2.3/metadata'])
  })

  it('says what is wrong: no study named, none found, access ended, documents only [7.42, P28]', async () => {
    expect(await kindOf(Study.find(readAddress('')))).toBe('address')
    serve({ '/studies/1.2/series': [] })
    expect(await kindOf(Study.find(readAddress('?StudyInstanceUIDs=1.2')))).toBe('not-found')
    serve({ '/studies/1.2/series': 401 })
    expect(await kindOf(Study.find(readAddress('?StudyInstanceUIDs=1.2')))).toBe('expired')
    serve({
      '/studies/1.2/series': [series('1.2.3', 'SR', 3)],
      '/metadata': [{ [tag.SOPInstanceUID]: { Value: ['1'] } }],
    })
    const study = await Study.find(readAddress('?StudyInstanceUIDs=1.2'))
    expect(await kindOf(study.open(study.entries[0]!))).toBe('no-images')
  })

  it.each([
    ['documents, and that there are none', [{}, {}], 'no-images'],
    ['a document and a video, and that it is one', [{}, syntax('1.2.840.10008.1.2.4.102')], 'video'],
    ['a document and a map of decimals, and that it is one', [{}, { [tag.FloatPixelData]: { vr: 'OF' } }], 'decimals'],
    ['nothing, and that there are no images', [], 'no-images'],
  ])('says of a series that has nothing but %s [7.42, P28]', async (_what, objects, kind) => {
    const headers = objects.map((more) => (Object.keys(more).length === 0 ? report : { ...image, ...more }))
    serve({ '/studies/1.2/series': [series('1.2.3', 'OT', 3)], '/metadata': headers })
    const study = await Study.find(readAddress('?StudyInstanceUIDs=1.2'))
    expect(await kindOf(study.open(study.entries[0]!))).toBe(kind)
  })

  it('leaves out what has no UID to ask for it by, and has ended where a link opens nothing [7.42, P25]', async () => {
    const nameless = { [tag.Modality]: { Value: ['CT'] } }
    serve({ '/studies/1.2/series': [nameless, series('1.2.3', 'MR', 3)] })
    const study = await Study.find(readAddress('?StudyInstanceUIDs=1.2'))
    expect(study.entries.map(({ uid }) => uid)).toEqual(['1.2.3'])
    for (const answer of [[], [nameless]]) {
      serve({ '/series': answer })
      expect(await kindOf(Study.find(readAddress('?share=0f0e0d0c-0000-4000-8000-00000000000a')))).toBe('link-ended')
    }
  })

  it.each([
    [
      { more: 3, patientPage: '/scan/patient/o/1' },
      { count: 3, patientPage: '/scan/patient/o/1' },
    ],
    [{ more: 0, patientPage: '/scan/patient/o/1' }, undefined],
    [{ more: 3 }, undefined],
    [{}, undefined],
  ])('by %j knows of as many other studies, and where they are [P79]', async (answer, morePriors) => {
    serve({ '/studies/1.2/series': [series('1.2.3', 'MR', 3)], '/launch/priors/1.2': { data: [], ...answer } })
    const study = await Study.find(readAddress('?StudyInstanceUIDs=1.2'))
    await study.findPriors()
    expect(study.morePriors).toEqual(morePriors)
  })

  it('names no study that is open among the other ones of the patient [P79]', async () => {
    serve({
      '/studies/1.2/series': [series('1.2.1', 'CT', 1)],
      '/studies/1.3/series': [series('1.3.1', 'CT', 1)],
      '/launch/priors/1.2': { data: [prior('1.3'), prior('9')] },
    })
    const study = await Study.find(readAddress('?StudyInstanceUIDs=1.2,1.3'))
    await study.findPriors()
    expect(study.priors.map(({ studyUID }) => studyUID)).toEqual(['9'])
  })

  it('asks for the series of another study once, and again after a failure [P79]', async () => {
    const asked = serve({ '/studies/9/series': [] })
    const study = new Study([])
    expect(await kindOf(study.openPrior(prior('9')))).toBe('not-found')
    serve({ '/studies/9/series': [series('9.1', 'CT', 1)] }, asked)
    const found = await study.openPrior(prior('9'))
    expect(await study.openPrior(prior('9'))).toBe(found)
    expect(asked).toHaveLength(2)
  })

  it('asks a server that is busy twice more, and one that refuses not again [7.42, P28]', async () => {
    jest.useFakeTimers()
    const asked = serve({ '/studies/1.2/series': 503 })
    const waiting = kindOf(Study.find(readAddress('?StudyInstanceUIDs=1.2')))
    for (const [ms, times] of [
      [399, 1],
      [1, 2],
      [1199, 2],
      [1, 3],
    ] as const) {
      await jest.advanceTimersByTimeAsync(ms)
      expect(asked).toHaveLength(times)
    }
    expect(await waiting).toBe('busy')
    const refused = serve({ '/studies/1.2/series': 401 })
    const ended = kindOf(Study.find(readAddress('?StudyInstanceUIDs=1.2')))
    await jest.advanceTimersByTimeAsync(5000)
    expect([await ended, refused.length]).toEqual(['expired', 1])
    jest.useRealTimers()
  })

  it('takes nothing but a list for an answer [7.42, P28]', async () => {
    jest.useFakeTimers()
    serve({ '/studies/1.2/series': { message: 'Hello.' } })
    const asking = kindOf(Study.find(readAddress('?StudyInstanceUIDs=1.2')))
    await jest.advanceTimersByTimeAsync(5000)
    expect(await asking).toBe('server')
    jest.useRealTimers()
  })

  it('has nothing to begin with where it holds nothing [7.42]', () => {
    expect(() => new Study([]).first(undefined)).toThrow('No images in this series')
  })

  it('has nothing where the server answers with no content, and gives up waiting after half a minute [7.42, P28]', async () => {
    const patience = jest.spyOn(AbortSignal, 'timeout')
    serve({ '/studies/1.2/series': 204 })
    expect(await kindOf(Study.find(readAddress('?StudyInstanceUIDs=1.2')))).toBe('not-found')
    expect(patience).toHaveBeenCalledWith(30_000)
    patience.mockRestore()
  })

  it('can be asked again after a failure [7.42, P28]', async () => {
    serve({ '/studies/1.2/series': [series('1.2.3', 'MR', 3)], '/metadata': 404 })
    const study = await Study.find(readAddress('?StudyInstanceUIDs=1.2'))
    expect(await kindOf(study.open(study.entries[0]!))).toBe('not-found')
    serve({ '/metadata': [image] })
    expect((await study.open(study.entries[0]!)).slices).toHaveLength(1)
  })
})
