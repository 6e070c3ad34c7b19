import sharp from 'sharp'
import { server, path, get, startWithFrames } from './wadoInTests.ts'

beforeAll(startWithFrames)
afterAll(() => server.close())

describe('pictures', () => {
  it('are drawn for whoever may look, and never larger than they are', async () => {
    const image = await get(`${path('1.80.1.1')}/rendered?viewport=500,500`, 'image/jpeg')
    expect(image.statusCode).toBe(200)
    expect(await sharp(image.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 4, height: 4 })
    for (const frames of ['0', '1,2', 'x'])
      expect((await get(`${path('1.80.1.1')}/frames/${frames}/rendered`, 'image/jpeg')).statusCode).toBe(400)
  })

  it('are of the series that is asked for, and of a study the first that has any, whatever came before it', async () => {
    const study = '/dicom-web/studies/1.83'
    const whole = await get(`${study}/thumbnail`, 'image/jpeg')
    const [firstImage, secondImage] = [
      await get(`${study}/series/1.83.1/thumbnail`, 'image/jpeg'),
      await get(`${study}/series/1.83.2/thumbnail`, 'image/jpeg'),
    ]
    expect([
      firstImage.statusCode,
      secondImage.statusCode,
      whole.rawPayload.equals(firstImage.rawPayload),
      secondImage.rawPayload.equals(firstImage.rawPayload),
    ]).toEqual([200, 200, true, false])
  })

  it('that cannot be drawn are not there, and neither is one of nothing', async () => {
    const urls = [
      `${path('1.80.1.3')}/rendered`,
      '/dicom-web/studies/1.82/series/1.82.1/thumbnail',
      '/dicom-web/studies/1.82/series/1.82.9/thumbnail',
    ]
    const statuses = await Promise.all(urls.map(async (url) => (await get(url, 'image/jpeg')).statusCode))
    // The first is there, though not as a picture.
    expect(statuses).toEqual([406, 404, 404])
  })

  it('may be kept for a while by the browser that asked, and what is written of them may not', async () => {
    const readCacheControl = async (url: string, accept: string) => (await get(url, accept)).headers['cache-control']
    expect(await readCacheControl(`${path('1.80.1.1')}/rendered`, 'image/jpeg')).toBe('private, max-age=300')
    expect(await readCacheControl(`${path('1.80.1.1')}/metadata`, 'application/dicom+json')).toBe('no-store')
  })

  it('have the colours of their tables', async () => {
    const [us] = (await get('/dicom-web/series?Modality=US', 'application/dicom+json')).json<
      Record<string, { Value: string[] }>[]
    >()
    const image = await get(
      `/dicom-web/studies/${us?.['0020000D']?.Value[0]}/series/${us?.['0020000E']?.Value[0]}/thumbnail`,
      'image/jpeg',
    )
    expect(image.statusCode).toBe(200)
    expect(Math.max(...(await sharp(image.rawPayload).stats()).channels.map(({ max }) => max))).toBeGreaterThan(100)
  })
})
