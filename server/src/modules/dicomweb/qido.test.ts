import { parseQuery } from './qidoQuery.ts'
import { server, staff, json, get, value, xa, startWithSamples } from './dicomwebInTests.ts'

beforeAll(startWithSamples)
afterAll(() => server.close())

describe('QIDO-RS', () => {
  it('finds studies by patient, date, modality and wildcard, with counts [7.38]', async () => {
    const searchStudies = async (query: string) => json(await get(staff, `/studies?${query}`))
    expect((await searchStudies('PatientName=compressedsamples*')).length).toBe(3)
    expect((await searchStudies('PatientName=mr+mister&fuzzymatching=true')).length).toBe(1)
    expect((await searchStudies('StudyDate=19950101-19951231')).length).toBe(1)
    const dates = (await searchStudies('')).map((dataset) => String(value(dataset, '00080020') ?? ''))
    const until = (await searchStudies('StudyDate=-19951231')).map((dataset) => String(value(dataset, '00080020')))
    expect(until.toSorted()).toEqual(dates.filter((date) => date !== '' && date <= '19951231').toSorted())
    expect(until.length).toBeGreaterThan(2)
    expect((await searchStudies('ModalitiesInStudy=US')).map((dataset) => value(dataset, '00201208'))).toEqual([1])
    expect(
      (await searchStudies(`0020000D=${xa.study}`)).map((dataset) => [
        value(dataset, '00080061'),
        value(dataset, '00201206'),
      ]),
    ).toEqual([['XA', 1]])
    expect(await searchStudies('PatientID=nobody')).toEqual([])
  })

  it('pages with limit and offset without gaps or repeats [9.01]', async () => {
    const seriesUIDs = json(await get(staff, '/series')).map((dataset) => value(dataset, '0020000E'))
    const paged: unknown[] = []
    for (let offset = 0; offset < seriesUIDs.length; offset += 4)
      paged.push(
        ...json(await get(staff, `/series?limit=4&offset=${offset}`)).map((dataset) => value(dataset, '0020000E')),
      )
    expect(paged).toEqual(seriesUIDs)
    expect(new Set(seriesUIDs).size).toBe(seriesUIDs.length)
  })

  it('adds included fields and refuses keys that it does not match instead of answering everything', async () => {
    const reply = await get(staff, `/studies/${xa.study}/series?includefield=KVP&ContentLabel=`)
    expect(json(reply).map((dataset) => value(dataset, '00180060'))).toHaveLength(1)
    for (const query of ['ContentLabel=x', 'SeriesNumber=1', 'RequestAttributesSequence.ScheduledProcedureStepID=1']) {
      const refused = await get(staff, `/studies?${query}`)
      expect([query, refused.statusCode, refused.json<{ code: string }>().code]).toEqual([query, 400, 'NOT_MATCHED'])
      expect(refused.json<{ message: string }>().message).toContain(query.split('=')[0])
    }
    const unknown = await get(staff, '/studies?NoSuchThing=1')
    expect([unknown.statusCode, unknown.json<{ message: string }>().message]).toEqual([
      400,
      'DICOM defines no attribute "NoSuchThing".',
    ])
    expect((await get(staff, '/studies?limit=-1')).statusCode).toBe(400)
    // All that is kept is answered anyway.
    expect((await get(staff, '/studies?includefield=all')).statusCode).toBe(200)
  })

  it('warns that there may be more only where there may be', async () => {
    const warned = async (query: string) => (await get(staff, `/studies?${query}`)).headers.warning
    expect(await warned('limit=1')).toContain('There may be more results')
    expect([await warned(''), await warned('limit=0'), await warned('PatientID=nobody')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('tells of the study with a series that was not looked for in one', async () => {
    const listPatients = async (path: string) =>
      json(await get(staff, path))
        .filter((dataset) => value(dataset, '0020000E') === xa.series)
        .map((dataset) => '00100020' in dataset)
    expect([await listPatients('/series'), await listPatients(`/studies/${xa.study}/series`)]).toEqual([
      [true],
      [false],
    ])
  })

  it('takes values of two thousand characters, and answers a thousand results at most [9.01, P16]', async () => {
    expect((await get(staff, `/studies?PatientID=${'x'.repeat(2000)}`)).statusCode).toBe(200)
    expect((await get(staff, `/studies?PatientID=${'x'.repeat(2001)}`)).statusCode).toBe(400)
    expect([parseQuery({}).limit, parseQuery({ limit: '1000' }).limit, parseQuery({ limit: '5000' }).limit]).toEqual([
      1000, 1000, 1000,
    ])
  })

  it('takes whatever stands in a query as text or refuses it, never with 500 [P16]', async () => {
    const values = [
      "'; drop table series; --",
      '%',
      '_',
      '*',
      '?',
      '\\',
      '\u0000',
      '1.2.3,',
      '-',
      '20240101-',
      'x'.repeat(1999),
      '{"a":1}',
      '__proto__',
      '💣',
      '../../etc/passwd',
      '1e309',
      '-1',
      'NaN',
      'null',
      ' ',
    ]
    const levels = ['studies', 'series', 'instances'] as const
    let turn = 0
    for (const key of [
      'PatientName',
      'PatientID',
      'StudyDate',
      'StudyInstanceUID',
      'ModalitiesInStudy',
      'SeriesInstanceUID',
      'InstanceNumber',
      'limit',
      'offset',
      'includefield',
      'fuzzymatching',
    ]) {
      for (const dataset of values) {
        const level = levels[turn++ % 3]
        const { statusCode } = await get(
          staff,
          `/${level}?${new URLSearchParams({ [key]: dataset, ...(key === 'PatientName' && { fuzzymatching: 'true' }) })}`,
        )
        expect([level, key, dataset, statusCode < 500]).toEqual([level, key, dataset, true])
      }
    }
    expect(json(await get(staff, '/series')).length).toBeGreaterThan(5)
  })

  it('lists instances with what a viewer needs', async () => {
    const [dataset] = json(await get(staff, `/studies/${xa.study}/series/${xa.series}/instances`))
    expect([value(dataset, '00280008'), value(dataset, '00083002')]).toEqual([96, '1.2.840.10008.1.2.4.50'])
  })
})
