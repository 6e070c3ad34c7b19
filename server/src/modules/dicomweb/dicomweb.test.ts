import { gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import {
  server,
  staff,
  south,
  provider,
  northId,
  file,
  json,
  get,
  value,
  xa,
  startWithSamples,
} from './dicomwebInTests.ts'

beforeAll(startWithSamples)
afterAll(() => server.close())

describe('WADO-RS', () => {
  it('answers the uploaded bytes untouched [2.58]', async () => {
    const bytes = file('jpeg_ls.dcm')
    const [study] = json(await get(staff, '/series?Modality=MR&includefield=00080018')).filter(
      (dataset) => value(dataset, '0020000E') === '1.3.6.1.4.1.5962.1.3.5.1.20040826185059.5457',
    )
    const path = `/studies/${value(study, '0020000D')}/series/${value(study, '0020000E')}/instances/${value(study, '00080018')}`
    const whole = await get(staff, path, { accept: 'application/dicom' })
    expect(whole.rawPayload.equals(bytes)).toBe(true)
    const multipart = await get(staff, path, {
      accept: 'multipart/related; type="application/dicom"; transfer-syntax=*',
    })
    expect(multipart.headers['content-type']).toMatch(/^multipart\/related; type="application\/dicom"; boundary=/)
    expect(multipart.rawPayload.includes(bytes)).toBe(true)
  })

  it('answers metadata as DICOM JSON with addresses of this origin', async () => {
    const [instance] = json(await get(staff, `/studies/${xa.study}/series/${xa.series}/metadata`))
    expect(value(instance, '00080060')).toBe('XA')
    expect(instance?.['7FE00010']).toEqual({
      vr: 'OB',
      BulkDataURI: expect.stringMatching(/^http:\/\/localhost:80\/dicom-web\/studies\/.*\/bulkdata\/7FE00010$/),
    })
    expect(JSON.stringify(instance)).not.toContain('"BulkDataURI":"bulkdata')
  })

  it('compresses metadata for those who take it', async () => {
    const path = `/studies/${xa.study}/metadata`
    const [plain, zipped] = await Promise.all([get(staff, path), get(staff, path, { 'accept-encoding': 'gzip' })])
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body)
  })

  it('answers single frames, compressed as they are, native ones little-endian', async () => {
    const [xaOne] = json(await get(staff, `/studies/${xa.study}/series/${xa.series}/instances`))
    const path = `/studies/${xa.study}/series/${xa.series}/instances/${value(xaOne, '00080018')}/frames`
    const first = await get(staff, `${path}/1`, { accept: 'image/jpeg' })
    expect([first.statusCode, first.headers['content-type'], first.rawPayload.subarray(0, 2).toString('hex')]).toEqual([
      200,
      'image/jpeg; transfer-syntax=1.2.840.10008.1.2.4.50',
      'ffd8',
    ])
    const several = await get(staff, `${path}/1,96`, {
      accept: 'multipart/related; type="application/octet-stream"; transfer-syntax=*',
    })
    expect(several.rawPayload.toString('latin1').match(/\xff\xd8\xff/g)?.length).toBe(2)
    expect((await get(staff, `${path}/97`)).statusCode).toBe(404)
    expect((await get(staff, `${path}/0`)).statusCode).toBe(400)
    // A list as long as a request's line may be is read; one that is longer has no route.
    const many = (count: number): string => Array.from({ length: count }, () => '0').join(',')
    expect([
      (await get(staff, `${path}/${many(8192)}`)).statusCode,
      (await get(staff, `${path}/${many(8193)}`)).statusCode,
    ]).toEqual([400, 404])
    expect((await get(staff, `${path}/1`, { accept: 'image/png' })).statusCode).toBe(406)

    const [big, little] = await Promise.all(
      ['explicit_big.dcm', 'brain_013.dcm'].map(async (name) => {
        const uids = /0\.0\.0\.0[\d.]*/.exec(file(name).toString('latin1'))?.[0] ?? ''
        return (
          await get(
            staff,
            `/studies/0.0.0.0.2.8811.20010413115754.12432/series/0.0.0.0.3.8811.2.20010413115754.12432/instances/${uids}/frames/1`,
            { accept: 'application/octet-stream' },
          )
        ).rawPayload
      }),
    )
    expect(big?.length).toBe(131_072)
    expect(big?.equals(little ?? Buffer.alloc(0))).toBe(true)
  })

  it('draws thumbnails of the middle slice once, and frames on demand', async () => {
    const path = `/studies/${xa.study}/series/${xa.series}/thumbnail`
    const image = await get(staff, path)
    expect([image.statusCode, image.headers['content-type'], image.rawPayload.subarray(0, 2).toString('hex')]).toEqual([
      200,
      'image/jpeg',
      'ffd8',
    ])
    expect((await get(staff, path)).rawPayload.equals(image.rawPayload)).toBe(true)
    const { width = 0, height = 0 } = await sharp(image.rawPayload).metadata()
    expect(Math.max(width, height)).toBe(160)
    const storedThumbnail = await server.deps.db
      .selectFrom('thumbnails')
      .select('series_uid')
      .where('series_uid', '=', xa.series)
      .execute()
    expect(storedThumbnail.length).toBe(1)
  })

  it('is as small as asked, and 160 on its longer side at most [P16]', async () => {
    const [instance] = json(await get(staff, `/studies/${xa.study}/series/${xa.series}/instances`))
    const ofSeries = `/studies/${xa.study}/series/${xa.series}`
    for (const path of [ofSeries, `${ofSeries}/instances/${value(instance, '00080018')}`]) {
      for (const [viewport, side] of [
        ['64,2048', 64],
        ['2048,48', 48],
        ['512,512', 160],
      ] as const) {
        const image = await get(staff, `${path}/thumbnail?viewport=${viewport}`)
        const { width = 0, height = 0 } = await sharp(image.rawPayload).metadata()
        expect([path, viewport, image.statusCode, Math.max(width, height)]).toEqual([path, viewport, 200, side])
      }
      expect((await get(staff, `${path}/thumbnail?viewport=0,9`)).statusCode).toBe(400)
    }
  })
})

describe('a rendered picture', () => {
  it('is as large as asked, within 1 to 2048 on each side [P16]', async () => {
    const [instance] = json(await get(staff, `/studies/${xa.study}/series/${xa.series}/instances`))
    const draw = (viewport: string) =>
      get(
        staff,
        `/studies/${xa.study}/series/${xa.series}/instances/${value(instance, '00080018')}/rendered?viewport=${viewport}`,
      )
    for (const [viewport, side] of [
      ['1,1', 1],
      ['100,2048', 100],
      ['2048,100', 100],
    ] as const) {
      const image = await draw(viewport)
      const { width = 0, height = 0 } = await sharp(image.rawPayload).metadata()
      expect([viewport, image.statusCode, Math.max(width, height)]).toEqual([viewport, 200, side])
    }
    for (const viewport of [
      '0,100',
      '100,0',
      '2049,100',
      '100,2049',
      '9999,9999',
      '100',
      '1.5,2',
      '-1,5',
      '100,100,0,0',
    ])
      expect([viewport, (await draw(viewport)).statusCode]).toEqual([viewport, 400])
  })
})

describe('tenant walls [P02]', () => {
  it('another organization’s objects are answered as objects that do not exist', async () => {
    const paths = [
      `/studies/${xa.study}`,
      `/studies/${xa.study}/metadata`,
      `/studies/${xa.study}/series/${xa.series}`,
      `/studies/${xa.study}/series/${xa.series}/thumbnail`,
    ]
    const plain = (body: string) => body.replace(/"requestId":"[^"]+"/, '')
    for (const path of paths) {
      const foreign = await get(south, path)
      const unknown = await get(south, path.replaceAll(xa.study, '1.9.9.9').replaceAll(xa.series, '1.9.9.8'))
      expect([path, foreign.statusCode, plain(foreign.body)]).toEqual([path, 404, plain(unknown.body)])
      expect(foreign.body).not.toContain('Rubo')
    }
    expect(json(await get(south, '/studies')).length).toBe(0)
    expect((await get(south, `/studies?organizationId=${northId}`)).statusCode).toBe(404)
    expect(json(await get(provider, `/studies?organizationId=${northId}`)).length).toBeGreaterThan(5)
  })

  it('paths that are no UIDs do not exist [P16]', async () => {
    for (const path of [
      '/studies/..%2f..%2fetc',
      "/studies/1'or'1",
      '/studies/1.2.3/series/%00',
      `/studies/${'1.'.repeat(40)}1`,
    ])
      expect((await get(staff, path)).statusCode).toBe(404)
  })
})

describe('the record [P24]', () => {
  it('tells who uploaded, searched and saw what', async () => {
    const events = await server.deps.db
      .selectFrom('audit')
      .select(['event', 'actor_id'])
      .where('organization_id', '=', northId)
      .execute()
    for (const event of ['ScansUploaded', 'ScansQueried', 'ScanViewed'] as const)
      expect(events.some((row) => row.event === event && row.actor_id === staff.userId)).toBe(true)
  })
  it('names no patient, in rows or logs [P23]', async () => {
    const audit = JSON.stringify(await server.deps.db.selectFrom('audit').select('subject').execute())
    for (const name of ['Rubo', 'CompressedSamples', 'MISTER', 'QIN-HEADNECK']) {
      expect(audit).not.toContain(name)
      expect(server.logs.join('')).not.toContain(name)
    }
  })
})
