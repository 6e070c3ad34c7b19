import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { scan } from '@dmp/contract'
import sharp from 'sharp'
import { sampleObjects } from '../../dicom/sampleObjects.ts'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow, stowBody } from '../../testing/stow.ts'
import { readQuery } from './qidoQuery.ts'

let server: TestServer
let staff: SignedIn
let south: SignedIn
let provider: SignedIn
let northId: string

const file = (name: string): Buffer => readFileSync(sampleObjects().find((path) => basename(path) === name) ?? '')
const json = (raw: { body: string }): Record<string, { vr: string; Value?: unknown[] }>[] => JSON.parse(raw.body)
const get = (who: SignedIn, path: string, headers: Record<string, string> = {}) =>
  server.app.inject({ url: `/dicom-web${path}`, headers: { ...who.headers, ...headers } })
const value = (dataset: Record<string, { Value?: unknown[] }> | undefined, tag: string): unknown =>
  dataset?.[tag]?.Value?.[0]

const xa = {
  study: '1.3.12.2.1107.5.4.3.123456789012345.19950922.121803.6',
  series: '1.3.12.2.1107.5.4.3.123456789012345.19950922.121803.8',
}

beforeAll(async () => {
  server = await startServer()
  ;[staff, south, provider] = await Promise.all([
    server.signIn('staff'),
    server.signIn('admin@south.example'),
    server.signIn('super_admin'),
  ])
  northId = (
    await server.deps.db
      .selectFrom('users')
      .select('organization_id')
      .where('id', '=', staff.userId)
      .executeTakeFirstOrThrow()
  ).organization_id
  const objects = sampleObjects()
    .filter((path) => !path.includes('papaya'))
    .map((path) => readFileSync(path))
  await stow(server, staff, objects)
})
afterAll(() => server.close())

describe('QIDO-RS', () => {
  it('finds studies by patient, date, modality and wildcard, with counts [7.38]', async () => {
    const found = async (query: string) => json(await get(staff, `/studies?${query}`))
    expect((await found('PatientName=compressedsamples*')).length).toBe(3)
    expect((await found('PatientName=mr+mister&fuzzymatching=true')).length).toBe(1)
    expect((await found('StudyDate=19950101-19951231')).length).toBe(1)
    const dates = (await found('')).map((one) => String(value(one, '00080020') ?? ''))
    const until = (await found('StudyDate=-19951231')).map((one) => String(value(one, '00080020')))
    expect(until.toSorted()).toEqual(dates.filter((date) => date !== '' && date <= '19951231').toSorted())
    expect(until.length).toBeGreaterThan(2)
    expect((await found('ModalitiesInStudy=US')).map((one) => value(one, '00201208'))).toEqual([1])
    expect(
      (await found(`0020000D=${xa.study}`)).map((one) => [value(one, '00080061'), value(one, '00201206')]),
    ).toEqual([['XA', 1]])
    expect(await found('PatientID=nobody')).toEqual([])
  })

  it('pages with limit and offset without gaps or repeats [9.01]', async () => {
    const all = json(await get(staff, '/series')).map((one) => value(one, '0020000E'))
    const paged: unknown[] = []
    for (let offset = 0; offset < all.length; offset += 4)
      paged.push(...json(await get(staff, `/series?limit=4&offset=${offset}`)).map((one) => value(one, '0020000E')))
    expect(paged).toEqual(all)
    expect(new Set(all).size).toBe(all.length)
  })

  it('adds included fields and warns of keys that it does not match', async () => {
    const reply = await get(staff, `/studies/${xa.study}/series?includefield=KVP&ContentLabel=x`)
    expect(json(reply).map((one) => value(one, '00180060'))).toHaveLength(1)
    expect(reply.headers.warning).toContain('ContentLabel')
    expect((await get(staff, '/studies?NoSuchThing=1')).statusCode).toBe(400)
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
    const patientOf = async (path: string) =>
      json(await get(staff, path))
        .filter((one) => value(one, '0020000E') === xa.series)
        .map((one) => '00100020' in one)
    expect([await patientOf('/series'), await patientOf(`/studies/${xa.study}/series`)]).toEqual([[true], [false]])
  })

  it('takes values of two thousand characters, and answers a thousand results at most [9.01, P16]', async () => {
    expect((await get(staff, `/studies?PatientID=${'x'.repeat(2000)}`)).statusCode).toBe(200)
    expect((await get(staff, `/studies?PatientID=${'x'.repeat(2001)}`)).statusCode).toBe(400)
    expect([readQuery({}).limit, readQuery({ limit: '1000' }).limit, readQuery({ limit: '5000' }).limit]).toEqual([
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
      for (const one of values) {
        const level = levels[turn++ % 3]
        const { statusCode } = await get(
          staff,
          `/${level}?${new URLSearchParams({ [key]: one, ...(key === 'PatientName' && { fuzzymatching: 'true' }) })}`,
        )
        expect([level, key, one, statusCode < 500]).toEqual([level, key, one, true])
      }
    }
    expect(json(await get(staff, '/series')).length).toBeGreaterThan(5)
  })

  it('lists instances with what a viewer needs', async () => {
    const [one] = json(await get(staff, `/studies/${xa.study}/series/${xa.series}/instances`))
    expect([value(one, '00280008'), value(one, '00083002')]).toEqual([96, '1.2.840.10008.1.2.4.50'])
  })
})

describe('WADO-RS', () => {
  it('answers the uploaded bytes untouched [2.58]', async () => {
    const bytes = file('jpeg_ls.dcm')
    const [study] = json(await get(staff, '/series?Modality=MR&includefield=00080018')).filter(
      (one) => value(one, '0020000E') === '1.3.6.1.4.1.5962.1.3.5.1.20040826185059.5457',
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
    const [one] = json(await get(staff, `/studies/${xa.study}/series/${xa.series}/metadata`))
    expect(value(one, '00080060')).toBe('XA')
    expect(one?.['7FE00010']).toEqual({
      vr: 'OW',
      BulkDataURI: expect.stringMatching(/^\/dicom-web\/studies\/.*\/bulkdata\/7FE00010$/),
    })
    expect(JSON.stringify(one)).not.toContain('"BulkDataURI":"bulkdata')
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
    const drawn = await get(staff, path)
    expect([drawn.statusCode, drawn.headers['content-type'], drawn.rawPayload.subarray(0, 2).toString('hex')]).toEqual([
      200,
      'image/jpeg',
      'ffd8',
    ])
    expect((await get(staff, path)).rawPayload.equals(drawn.rawPayload)).toBe(true)
    const { width = 0, height = 0 } = await sharp(drawn.rawPayload).metadata()
    expect(Math.max(width, height)).toBe(160)
    const kept = await server.deps.db
      .selectFrom('thumbnails')
      .select('series_uid')
      .where('series_uid', '=', xa.series)
      .execute()
    expect(kept.length).toBe(1)
  })
})

describe('a rendered picture', () => {
  it('is as large as asked, within 1 to 2048 on each side [P16]', async () => {
    const [one] = json(await get(staff, `/studies/${xa.study}/series/${xa.series}/instances`))
    const draw = (viewport: string) =>
      get(
        staff,
        `/studies/${xa.study}/series/${xa.series}/instances/${value(one, '00080018')}/rendered?viewport=${viewport}`,
      )
    for (const [viewport, side] of [
      ['1,1', 1],
      ['100,2048', 100],
      ['2048,100', 100],
    ] as const) {
      const drawn = await draw(viewport)
      const { width = 0, height = 0 } = await sharp(drawn.rawPayload).metadata()
      expect([viewport, drawn.statusCode, Math.max(width, height)]).toEqual([viewport, 200, side])
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

describe('launch of a viewer [7.42]', () => {
  const launchOf = async (who: SignedIn) => {
    const { data } = await who.call(scan.get, { organizationId: northId, seriesUID: xa.series })
    return {
      sessionId: who.tokens.session ?? '',
      datastore: data.advanced.dataStoreID,
      StudyInstanceUIDs: xa.study,
      ImageSetID: data.advanced.imageSetID ?? '',
    }
  }
  const cookieOf = (headers: Record<string, unknown>): string =>
    String([headers['set-cookie']].flat().find((one) => String(one).includes('Path=/dicom-web'))).split(';')[0] ?? ''

  it('gives a cookie that reads the launched study and nothing else, and an address without secrets [P02]', async () => {
    const target = await launchOf(staff)
    const reply = await server.app.inject({
      method: 'POST',
      url: '/launch',
      headers: staff.headers,
      payload: { imageSetID: target.ImageSetID },
    })
    expect(reply.statusCode).toBe(200)
    const cookie = cookieOf(reply.headers)
    expect(String(reply.headers['set-cookie'])).toMatch(/Max-Age=28800;.*HttpOnly.*SameSite=Strict/)
    const { expires_date: expires } = await server.deps.db
      .selectFrom('scan_launches')
      .select('expires_date')
      .executeTakeFirstOrThrow()
    expect(Math.round((expires.getTime() - Date.now()) / 3_600_000)).toBe(8)
    expect(reply.json().data.url).toMatch(/^\/viewer\/\?StudyInstanceUIDs=/)
    expect(reply.body).not.toContain(cookie.split('=')[1])

    const read = (path: string, more = {}) =>
      server.app.inject({ url: `/dicom-web${path}`, headers: { cookie }, ...more })
    expect((await read(`/studies/${xa.study}/series/${xa.series}/metadata`)).statusCode).toBe(200)
    expect(json(await read('/studies')).map((one) => value(one, '0020000D'))).toEqual([xa.study])
    const other = json(await get(staff, '/studies?ModalitiesInStudy=US'))[0]
    expect((await read(`/studies/${value(other, '0020000D')}/metadata`)).statusCode).toBe(404)
    const { payload, headers } = stowBody([file('rle.dcm')])
    expect(
      (await server.app.inject({ method: 'POST', url: '/dicom-web/studies', payload, headers: { ...headers, cookie } }))
        .statusCode,
    ).toBe(401)
  })

  it('turns the session label into the same access once the live channel bound it, for the product’s own pages only', async () => {
    const target = await launchOf(staff)
    const session = await server.deps.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', staff.userId)
      .executeTakeFirstOrThrow()
    await server.deps.db
      .insertInto('session_labels')
      .values({ label: 'label-of-the-test', session_id: session.id })
      .execute()
    const open = (changes: Record<string, string>, site = 'same-origin') =>
      server.app.inject({
        url: `/launch?${new URLSearchParams({ ...target, sessionId: 'label-of-the-test', ...changes })}`,
        headers: { 'sec-fetch-site': site },
      })
    const launched = await open({})
    expect([launched.statusCode, launched.headers.location]).toEqual([303, expect.stringMatching(/^\/viewer\//)])
    expect(launched.headers.location).not.toContain('label-of-the-test')
    // Apps that are no browsers do not say where a request comes from.
    expect(
      (
        await server.app.inject({
          url: `/launch?${new URLSearchParams({ ...target, sessionId: 'label-of-the-test' })}`,
        })
      ).statusCode,
    ).toBe(303)
    expect((await open({}, 'none')).statusCode).toBe(403)
    expect((await open({ sessionId: 'somebody-else' })).statusCode).toBe(403)
    expect((await open({ datastore: 'x'.repeat(32) })).statusCode).toBe(403)
    expect((await open({ StudyInstanceUIDs: '1.2.3' })).statusCode).toBe(403)
  })

  it('is for scans of the own organization; the provider opens all, and sees each in its place [P02]', async () => {
    const launch = (who: SignedIn, imageSetID: string, cookie = '') =>
      server.app.inject({
        method: 'POST',
        url: '/launch',
        headers: { ...who.headers, cookie },
        payload: { imageSetID },
      })
    const own = slice({
      '00080018': text('UI', '1.90.1.1'),
      '0020000D': text('UI', '1.90'),
      '0020000E': text('UI', '1.90.1'),
    })
    expect((await stow(server, south, [dicomFile({ elements: own })])).statusCode).toBe(200)
    const [theirs] = await server.deps.db
      .selectFrom('series')
      .select(['image_set_id', 'organization_id'])
      .where('series_uid', '=', '1.90.1')
      .execute()
    const target = await launchOf(staff)
    expect((await launch(south, target.ImageSetID)).statusCode).toBe(404)
    const first = await launch(provider, theirs?.image_set_id ?? '')
    const cookie = cookieOf(first.headers)
    expect([first.statusCode, (await launch(provider, target.ImageSetID, cookie)).statusCode]).toEqual([200, 200])
    for (const study of ['1.90', xa.study])
      expect([
        study,
        (await server.app.inject({ url: `/dicom-web/studies/${study}/metadata`, headers: { cookie } })).statusCode,
      ]).toEqual([study, 200])
  })

  it('ends with the session', async () => {
    const admin = await server.signIn('admin')
    const target = await launchOf(admin)
    const cookie = cookieOf(
      (
        await server.app.inject({
          method: 'POST',
          url: '/launch',
          headers: admin.headers,
          payload: { imageSetID: target.ImageSetID },
        })
      ).headers,
    )
    await server.app.inject({
      method: 'POST',
      url: '/api/account/logout',
      headers: admin.headers,
      payload: { refreshToken: admin.tokens.refreshToken },
    })
    expect(
      (await server.app.inject({ url: `/dicom-web/studies/${xa.study}/metadata`, headers: { cookie } })).statusCode,
    ).toBe(401)
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
      expect(events.some((one) => one.event === event && one.actor_id === staff.userId)).toBe(true)
  })
  it('names no patient, in rows or logs [P23]', async () => {
    const audit = JSON.stringify(await server.deps.db.selectFrom('audit').select('subject').execute())
    for (const name of ['Rubo', 'CompressedSamples', 'MISTER', 'QIN-HEADNECK']) {
      expect(audit).not.toContain(name)
      expect(server.logs.join('')).not.toContain(name)
    }
  })
})
