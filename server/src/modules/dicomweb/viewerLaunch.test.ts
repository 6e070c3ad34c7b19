import { account, scan } from '@dmp/contract'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { demoPassword } from '../account/demoAccounts.ts'
import { hashLinkToken } from '../scan/linkTokens.ts'
import { type SignedIn } from '../../testing/server.ts'
import { stow, stowBody } from '../../testing/stow.ts'
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

describe('launch of a viewer [7.42]', () => {
  const launchAs = async (who: SignedIn) => {
    const { data } = await who.call(scan.get, { organizationId: northId, seriesUID: xa.series })
    return {
      sessionId: who.tokens.session ?? '',
      datastore: data.advanced.dataStoreID,
      StudyInstanceUIDs: xa.study,
      ImageSetID: data.advanced.imageSetID ?? '',
    }
  }
  const readCookie = (headers: Record<string, unknown>): string =>
    String([headers['set-cookie']].flat().find((header) => String(header).includes('Path=/dicom-web'))).split(';')[0] ??
    ''

  it('gives a cookie that reads the launched study and nothing else, and an address without secrets [P02]', async () => {
    const target = await launchAs(staff)
    const reply = await server.app.inject({
      method: 'POST',
      url: '/launch',
      headers: staff.headers,
      payload: { imageSetID: target.ImageSetID },
    })
    expect(reply.statusCode).toBe(200)
    const cookie = readCookie(reply.headers)
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
    expect(json(await read('/studies')).map((dataset) => value(dataset, '0020000D'))).toEqual([xa.study])
    const other = json(await get(staff, '/studies?ModalitiesInStudy=US'))[0]
    expect((await read(`/studies/${value(other, '0020000D')}/metadata`)).statusCode).toBe(404)
    const { payload, headers } = stowBody([file('rle.dcm')])
    expect(
      (await server.app.inject({ method: 'POST', url: '/dicom-web/studies', payload, headers: { ...headers, cookie } }))
        .statusCode,
    ).toBe(401)
  })

  describe('by an address with a session id', () => {
    const sessionId = '5e55100d-0000-4000-8000-00000000beef'
    const page = { origin: 'http://localhost:4000', host: 'localhost:4000' }
    /** A browser that signed in, and whose page named its session id on the live channel. */
    const startBrowser = async (email: string, label: string) => {
      const input = { ClientId: 'dmp-web', email, password: demoPassword }
      const { raw, data } = await server.call(account.login, input, { headers: page })
      const authorization = `Bearer ${data.accessToken ?? ''}`
      await server.call(account.announceLaunch, { sessionId: label }, { headers: { ...page, authorization } })
      return `dmp-binding=${raw.cookies.find(({ name }) => name === 'dmp-binding')?.value ?? ''}`
    }
    let cookie: string
    let target: Awaited<ReturnType<typeof launchAs>>
    beforeAll(async () => {
      cookie = await startBrowser('staff@north.example', sessionId)
      target = await launchAs(staff)
    })
    const open = (changes: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      server.app.inject({ url: `/launch?${new URLSearchParams({ ...target, sessionId, ...changes })}`, headers })

    it('gives the browser of that session the same access', async () => {
      for (const headers of [{ cookie }, { cookie, 'sec-fetch-site': 'same-origin' }]) {
        const reply = await open({}, headers)
        expect([reply.statusCode, reply.headers.location]).toEqual([303, expect.stringMatching(/^\/viewer\//)])
        expect(reply.headers.location).not.toContain(sessionId)
        const path = `/dicom-web/studies/${xa.study}/metadata`
        const read = await server.app.inject({ url: path, headers: { cookie: readCookie(reply.headers) } })
        expect(read.statusCode).toBe(200)
      }
    })

    it('gives nothing to whoever read the address in a log, browser or not [P02, P11]', async () => {
      const another = await startBrowser('admin@north.example', '5e55100d-0000-4000-8000-00000000abcd')
      for (const headers of [
        {},
        { 'sec-fetch-site': 'same-origin' },
        { cookie: 'dmp-binding=made-up' },
        { cookie: another },
        { cookie: `dmp-launch=${sessionId}` },
      ]) {
        const reply = await open({}, headers)
        expect([reply.statusCode, reply.headers['set-cookie'], reply.headers.location]).toEqual([
          403,
          undefined,
          undefined,
        ])
      }
    })

    it('is refused from elsewhere, and where its parts do not fit together', async () => {
      expect((await open({}, { cookie, 'sec-fetch-site': 'none' })).statusCode).toBe(403)
      expect((await open({}, { cookie, 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
      for (const changes of [
        { sessionId: 'somebody-else' },
        { datastore: 'x'.repeat(32) },
        { StudyInstanceUIDs: '1.2.3' },
        { ImageSetID: 'x'.repeat(32) },
      ])
        expect((await open(changes, { cookie })).statusCode).toBe(403)
    })
  })

  it('is for scans of the own organization; the provider opens all, and sees each in its place [P02]', async () => {
    const launch = (who: SignedIn, imageSetID: string, cookie = '') =>
      server.app.inject({
        method: 'POST',
        url: '/launch',
        headers: { ...who.headers, cookie },
        payload: { imageSetID },
      })
    const ownObject = slice({
      '00080018': text('UI', '1.90.1.1'),
      '0020000D': text('UI', '1.90'),
      '0020000E': text('UI', '1.90.1'),
    })
    expect((await stow(server, south, [dicomFile({ elements: ownObject })])).statusCode).toBe(200)
    const [theirs] = await server.deps.db
      .selectFrom('series')
      .select(['image_set_id', 'organization_id'])
      .where('series_uid', '=', '1.90.1')
      .execute()
    const target = await launchAs(staff)
    expect((await launch(south, target.ImageSetID)).statusCode).toBe(404)
    const first = await launch(provider, theirs?.image_set_id ?? '')
    const cookie = readCookie(first.headers)
    expect([first.statusCode, (await launch(provider, target.ImageSetID, cookie)).statusCode]).toEqual([200, 200])
    for (const study of ['1.90', xa.study])
      expect([
        study,
        (await server.app.inject({ url: `/dicom-web/studies/${study}/metadata`, headers: { cookie } })).statusCode,
      ]).toEqual([study, 200])
  })

  it('in one organization opens nothing in another that has a study of the same UID [P02]', async () => {
    for (const study of ['1.91', '1.92'])
      for (const who of [staff, south]) {
        const elements = slice({
          '00080018': text('UI', `${study}.1.1`),
          '0020000D': text('UI', study),
          '0020000E': text('UI', `${study}.1`),
        })
        expect((await stow(server, who, [dicomFile({ elements })])).statusCode).toBe(200)
      }
    const listSeries = (seriesUID: string) =>
      server.deps.db
        .selectFrom('series')
        .select(['image_set_id', 'organization_id'])
        .where('series_uid', '=', seriesUID)
        .execute()
    const northern = (await listSeries('1.91.1')).find((series) => series.organization_id === northId)
    const southern = (await listSeries('1.92.1')).find((series) => series.organization_id !== northId)
    let cookie = ''
    for (const imageSetID of [northern?.image_set_id, southern?.image_set_id]) {
      const headers = { ...provider.headers, cookie }
      const reply = await server.app.inject({ method: 'POST', url: '/launch', headers, payload: { imageSetID } })
      expect(reply.statusCode).toBe(200)
      cookie = readCookie(reply.headers)
    }
    expect(json(await server.app.inject({ url: '/dicom-web/studies', headers: { cookie } }))).toHaveLength(1)
  })

  it('ends with its hours, each launch of a browser by itself, and is none where nobody launched [P02]', async () => {
    const launch = async (seriesUID: string, cookie?: string) => {
      const { data } = await staff.call(scan.get, { organizationId: northId, seriesUID })
      const reply = await server.app.inject({
        method: 'POST',
        url: '/launch',
        headers: { ...staff.headers, ...(cookie !== undefined && { cookie }) },
        payload: { imageSetID: data.advanced.imageSetID ?? '' },
      })
      return readCookie(reply.headers)
    }
    const cookie = await launch(xa.series)
    const other = json(await get(staff, '/series?Modality=US'))[0]
    const otherStudy = value(other, '0020000D')
    await launch(String(value(other, '0020000E')), cookie)
    const read = async (study: unknown, header = cookie) =>
      (await server.app.inject({ url: `/dicom-web/studies/${study}/metadata`, headers: { cookie: header } })).statusCode
    const [name = '', token = ''] = cookie.split('=')
    expect([await read(xa.study), await read(otherStudy), await read(xa.study, `${name}=made-up`)]).toEqual([
      200, 200, 401,
    ])
    const expire = async (study: unknown) => {
      await server.deps.db
        .updateTable('scan_launches')
        .set({ expires_date: new Date() })
        .where('token_hash', '=', hashLinkToken(token))
        .where('study_uid', '=', String(study))
        .execute()
      server.deps.bus.publish({ kind: 'missed' })
    }
    await expire(xa.study)
    expect([await read(xa.study), await read(otherStudy)]).toEqual([404, 200])
    await expire(otherStudy)
    expect([await read(xa.study), await read(otherStudy)]).toEqual([401, 401])
  })

  it('ends with the session', async () => {
    const admin = await server.signIn('admin')
    const target = await launchAs(admin)
    const cookie = readCookie(
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
