import type { Page } from 'playwright/test'

const studyUid = '2.25.10'
const allSeries = [
  { uid: '2.25.11', number: 1, description: 'Phantom axial', slices: 5 },
  { uid: '2.25.12', number: 2, description: 'Phantom, oblique reconstruction with a long name', slices: 1 },
] as const
const [width, height] = [192, 160]
const boundary = 'still'

/** The viewer's address of the study. */
export const phantomStudyPath = `/viewer/?StudyInstanceUIDs=${studyUid}&SeriesInstanceUID=${allSeries[0].uid}`
export const phantomStudyMiddle = `3 / ${allSeries[0].slices}`

/**
 * A round body with bright inserts on a wedge of greys: edges, corners and directions are told apart, and each slice
 * from the next.
 */
function pixels(slice: number): Buffer {
  const picture = Buffer.alloc(width * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [across, down] = [(x - width / 2) / 80, (y - height / 2) / 66]
      const isBody = across ** 2 + down ** 2 < 1
      const isInsert =
        (across + 0.45) ** 2 + (down + 0.2) ** 2 < 0.02 * slice ||
        (Math.abs(across - 0.4) < 0.12 && Math.abs(down - 0.2) < 0.3)
      picture[y * width + x] = isInsert ? 230 : isBody ? 70 + x / 2 : 4
    }
  }
  return picture
}

const value = (vr: string, ...Value: (string | number | object)[]) => ({ vr, Value })

const seriesAttributes = ({ uid, number, description, slices }: (typeof allSeries)[number]) => ({
  '00080060': value('CS', 'CT'),
  '0008103E': value('LO', description),
  '0020000D': value('UI', studyUid),
  '0020000E': value('UI', uid),
  '00200011': value('IS', number),
  '00201209': value('IS', slices),
})

const createHeaders = (series: (typeof allSeries)[number]) =>
  Array.from({ length: series.slices }, (_, at) => ({
    ...seriesAttributes(series),
    '00080016': value('UI', '1.2.840.10008.5.1.4.1.1.2'),
    '00080018': value('UI', `${series.uid}.${at + 1}`),
    '00080020': value('DA', '20260102'),
    '00081030': value('LO', 'Phantom'),
    '00083002': value('UI', '1.2.840.10008.1.2.1'),
    '00100010': value('PN', { Alphabetic: 'Sample^Anna' }),
    '00100020': value('LO', 'N-100'),
    '00100030': value('DA', '19791224'),
    '00100040': value('CS', 'F'),
    '00200013': value('IS', at + 1),
    '00200032': value('DS', 0, 0, at * 5),
    '00200037': value('DS', 1, 0, 0, 0, 1, 0),
    '00280002': value('US', 1),
    '00280004': value('CS', 'MONOCHROME2'),
    '00280010': value('US', height),
    '00280011': value('US', width),
    '00280030': value('DS', 1.5, 1.5),
    '00280100': value('US', 8),
    '00280101': value('US', 8),
    '00280102': value('US', 7),
    '00280103': value('US', 0),
    '00281050': value('DS', 120),
    '00281051': value('DS', 240),
  }))

const earlierStudy = {
  studyUID: '2.25.20',
  studyDate: '2025-01-02',
  description: 'Phantom',
  modalities: ['CT'],
  bodyParts: [],
  images: 5,
  patientName: 'Sample, Anna',
  birthDate: '1979-12-24',
  sex: 'F',
  pictureSeriesUID: allSeries[0].uid,
}

const thumbnail =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96"/><circle cx="48" cy="48" r="36" fill="#888"/></svg>'

/**
 * The viewer's reads are answered with a study that is drawn here: the same in every deployment, and the user does not
 * need access to it.
 */
export async function servePhantomStudy(page: Page): Promise<void> {
  await page.route('**/launch/priors/*', (route) => route.fulfill({ json: { data: [earlierStudy] } }))
  await page.route('**/dicom-web/**', (route) => {
    const path = new URL(route.request().url()).pathname
    const series = allSeries.find(({ uid }) => path.includes(`/series/${uid}/`))
    if (!series) return route.fulfill({ json: allSeries.map(seriesAttributes) })
    if (path.endsWith('/metadata')) return route.fulfill({ json: createHeaders(series) })
    if (path.endsWith('/thumbnail')) return route.fulfill({ contentType: 'image/svg+xml', body: thumbnail })
    const slice = Number(/\.(\d+)\/frames\/1$/.exec(path)?.[1])
    const body = Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Type: application/octet-stream\r\n\r\n`),
      pixels(slice),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ])
    return route.fulfill({
      contentType: `multipart/related; type="application/octet-stream"; boundary=${boundary}`,
      body,
    })
  })
}
