import { scan } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { tag } from '@dmp/dicom'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'

let server: TestServer
let admin: SignedIn
beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  // The last to arrive is the oldest.
  for (const [series, modality, date] of [
    ['1.74.1', 'US', '20250101'],
    ['1.74.2', 'MR', '20240101'],
    ['1.74.3', 'CT', '20230101'],
  ] as const) {
    const elements = slice({
      [tag.StudyInstanceUID]: text('UI', '1.74'),
      [tag.SeriesInstanceUID]: text('UI', series),
      [tag.SOPInstanceUID]: text('UI', `${series}.1`),
      [tag.Modality]: text('CS', modality),
      [tag.StudyDate]: text('DA', date),
    })
    expect((await stow(server, admin, [dicomFile({ elements })])).statusCode).toBe(200)
  }
})
afterAll(() => server.close())

const rows = async (sort: string, direction: string) =>
  (await admin.call(scan.list, { sort, direction, page: 1, pageSize: 50 })).data
    .filter(({ studyUID }) => studyUID === '1.74')
    .map(({ seriesUID, compatibleSaas, uploadDateTime }) => ({ seriesUID, compatibleSaas, uploadDateTime }))

describe('the list of scans', () => {
  it('can be ordered by arrival, which is not the acquisition [2.58]', async () => {
    const listed = await rows('uploadDateTime', 'desc')
    expect(listed.map(({ seriesUID }) => seriesUID)).toEqual(['1.74.3', '1.74.2', '1.74.1'])
    expect(listed[0]?.uploadDateTime).toMatch(/^\d{4}-\d\d-\d\dT/)
  })

  it('is in the order of the numbers of images, page by page, as soon as more have arrived [2.63, P69]', async () => {
    const add = async (series: string, number: number): Promise<void> => {
      const elements = slice({
        [tag.StudyInstanceUID]: text('UI', '1.75'),
        [tag.SeriesInstanceUID]: text('UI', series),
        [tag.SOPInstanceUID]: text('UI', `${series}.${number}`),
      })
      expect((await stow(server, admin, [dicomFile({ elements })])).statusCode).toBe(200)
    }
    const pages = async (direction: string, search?: string) => {
      const found: { seriesUID: string; noOfImages: number }[] = []
      for (let page = 1; ; page += 1) {
        const { data } = await admin.call(scan.list, { sort: 'noOfImages', direction, page, pageSize: 10, search })
        found.push(...data.map(({ seriesUID, noOfImages }) => ({ seriesUID, noOfImages: noOfImages ?? 0 })))
        if (data.length < 10) return found
      }
    }
    for (const [series, number] of [
      ['1.75.1', 1],
      ['1.75.2', 1],
      ['1.75.1', 2],
      ['1.75.3', 1],
      ['1.75.3', 2],
      ['1.75.3', 3],
    ] as const) {
      await add(series, number)
      for (const search of [undefined, '1.75']) {
        const ascending = await pages('asc', search)
        const sorted = ascending.toSorted((a, b) => a.noOfImages - b.noOfImages || (a.seriesUID < b.seriesUID ? -1 : 1))
        expect(ascending).toEqual(sorted)
        expect(ascending.filter(({ seriesUID }) => seriesUID === series)).toEqual([
          { seriesUID: series, noOfImages: number },
        ])
        expect(await pages('desc', search)).toEqual(ascending.toReversed())
      }
    }
  })

  it('can be ordered by Compatible SaaS, in both directions [2.63]', async () => {
    const saas = async (direction: string) =>
      (await rows('compatibleSaas', direction)).map(({ compatibleSaas }) => compatibleSaas.join())
    const ascending = await saas('asc')
    expect(new Set(ascending).size).toBeGreaterThan(1)
    expect(ascending).toEqual(ascending.toSorted())
    expect(await saas('desc')).toEqual(ascending.toReversed())
  })
})

it('tells of a scan which add-on apps its organization has a license for', async () => {
  const licensed = async () =>
    (await admin.call(scan.get, { organizationId: northClinic.id, seriesUID: '1.74.1' })).data.licensedSaas
  expect(await licensed()).toEqual(expect.arrayContaining(['BMD']))
  await server.deps.db
    .updateTable('organization_licenses')
    .set({ is_active: false })
    .where('organization_id', '=', northClinic.id)
    .execute()
  expect(await licensed()).toEqual([])
})

describe('a share link', () => {
  it('takes its days by either name of the specification, and needs one [3.14]', async () => {
    const share = async (days: object) =>
      (await admin.call(scan.share, { organizationId: northClinic.id, seriesUID: '1.74.1', ...days })).status
    expect([
      await share({ expireInDay: 2 }),
      await share({ expireInDays: 3 }),
      await share({ expireInDays: 9 }),
      await share({}),
      await share({ expireInDay: 2, expireInDays: 3 }),
    ]).toEqual([200, 200, 400, 400, 400])
    const { data } = await admin.call(scan.listShares, { organizationId: northClinic.id, seriesUID: '1.74.1' })
    const days = data.map(({ createdDate, expireDate }) =>
      Math.round((Date.parse(expireDate) - Date.parse(createdDate)) / 86_400_000),
    )
    expect(days).toEqual([3, 2])
  })
})
