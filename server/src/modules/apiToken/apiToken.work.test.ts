import { apiToken, scan } from '@dmp/contract'
import type { NewApiToken } from '@dmp/contract/apiToken'
import { northClinic } from '@dmp/contract/examples'
import { penaltyPoints } from '../../core/penalties.ts'
import { dicomFile, slice, text, type Elements } from '../../dicom/testing/dicomFile.ts'
import { manyItems } from '../../testing/attackObjects.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stowBody } from '../../testing/stow.ts'
import { basic, exchangeForAccessToken, makeApiToken, wayNames, ways } from './apiTokenInTests.ts'

let server: TestServer
let url: string
let admin: SignedIn
beforeAll(async () => {
  server = await startServer()
  url = await server.listen()
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

const object = (uid: string, more: Elements = {}): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', uid),
      '0020000D': text('UI', '1.91'),
      '0020000E': text('UI', '1.91.1'),
      ...more,
    }),
  })
const send = async (to: TestServer, authorization: string, bytes: Buffer) => {
  const { payload, headers } = stowBody([bytes])
  return to.app.inject({
    method: 'POST',
    url: '/dicom-web/studies',
    payload,
    headers: { ...headers, authorization },
  })
}
const resume = (method: string, path: string, authorization: string, headers: Record<string, string> = {}, body = '') =>
  fetch(url + path, {
    method,
    headers: { 'tus-resumable': '1.0.0', authorization, ...headers },
    ...(body !== '' && { body: Buffer.from(body, 'latin1') }),
  })
const piece = { 'content-type': 'application/offset+octet-stream' }

describe('a machine', () => {
  it.each(wayNames)('stores objects by STOW and by tus, with %s [1.07, P35]', async (way) => {
    const authorization = await ways[way](server, await makeApiToken(admin, { scopes: ['upload'] }))
    const at = wayNames.indexOf(way) + 1
    expect((await send(server, authorization, object(`1.91.1.${at}`))).statusCode).toBe(200)
    const bytes = object(`1.91.1.9.${at}`).toString('latin1')
    const begun = await resume('POST', '/api/Scan/uploads', authorization, { 'upload-length': String(bytes.length) })
    const path = begun.headers.get('location') ?? ''
    const first = await resume('PATCH', path, authorization, { ...piece, 'upload-offset': '0' }, bytes.slice(0, 300))
    expect([begun.status, first.status]).toEqual([201, 204])
    const head = await resume('HEAD', path, authorization)
    expect([head.status, head.headers.get('upload-offset')]).toEqual([200, '300'])
    const last = await resume('PATCH', path, authorization, { ...piece, 'upload-offset': '300' }, bytes.slice(300))
    expect(last.status).toBe(204)
    const { data } = await admin.call(scan.list, { organizationId: northClinic.id })
    expect(data.find(({ seriesUID }) => seriesUID === '1.91.1')?.source).toBe('API')
  })

  it('goes on with its own uploads alone, and with none once its token has ended [P02, P35]', async () => {
    const [own, other] = [await makeApiToken(admin), await makeApiToken(admin)]
    const bytes = object('1.91.1.50').toString('latin1')
    const authorization = `Bearer ${own.token}`
    const begun = await resume('POST', '/api/Scan/uploads', authorization, { 'upload-length': String(bytes.length) })
    const path = begun.headers.get('location') ?? ''
    const go = (by: string) => resume('PATCH', path, by, { ...piece, 'upload-offset': '0' }, bytes)
    for (const by of [`Bearer ${other.token}`, admin.headers.authorization]) expect((await go(by)).status).toBe(404)
    await admin.call(apiToken.end, { id: own.id })
    expect((await go(authorization)).status).toBe(401)
  })

  it('is held answerable by its owner for an object that contradicts what is stored [P32, P35]', async () => {
    const { token } = await makeApiToken(admin, { name: 'trial-a all', scopes: ['upload'] })
    await send(server, `Bearer ${token}`, object('1.91.1.60'))
    const stranger = { '00100010': text('PN', 'Other^Otto'), '00100020': text('LO', 'O-2') }
    expect((await send(server, `Bearer ${token}`, object('1.91.1.61', stranger))).statusCode).toBe(409)
    const { data } = await admin.call(scan.listConflicts, { organizationId: northClinic.id })
    const conflict = data.find(({ arrived }) => arrived.patientID === 'O-2')
    expect(conflict).toMatchObject({ sender: 'trial-a all', sentByUser: 'Mrs Nora Lind' })
  })

  it('pays for its own requests, not its owner and no other machine [P18, P35]', async () => {
    const { id, token } = await makeApiToken(admin, { scopes: ['upload'] })
    const charge = jest.spyOn(server.deps.penalties, 'charge')
    expect((await send(server, `Bearer ${token}`, manyItems('1.2.91'))).statusCode).toBe(409)
    expect(charge.mock.calls.map(([who, , points]) => [who.userId, who.organizationId, points])).toEqual([
      [id, northClinic.id, penaltyPoints.uselessReading],
    ])
    charge.mockRestore()
  })

  it('waits under any user name, and with an access token as well, when its requests go on failing [P18, P35]', async () => {
    const made = await makeApiToken(admin, { scopes: ['upload'] })
    const access = await exchangeForAccessToken(server, made)
    const bytes = object('1.91.1.62')
    expect((await send(server, basic('one', made.token), bytes)).statusCode).toBe(200)
    const machine = { userId: made.id, organizationId: northClinic.id }
    server.deps.penalties.charge(machine, '10.8.8.8', 10 ** 6)
    const judged = jest.spyOn(server.deps.apiTokens, 'findMachine')
    for (const user of ['one', 'two', ''])
      expect([user, (await send(server, basic(user, made.token), bytes)).statusCode]).toEqual([user, 429])
    expect(judged).not.toHaveBeenCalled()
    expect((await send(server, `Bearer ${access}`, bytes)).statusCode).toBe(429)
    judged.mockRestore()
  })

  it('is forgotten by every server at the news that its token has ended [P35]', async () => {
    const token = await makeApiToken(admin)
    const search = () =>
      server.app.inject({ url: '/dicom-web/studies', headers: { authorization: `Bearer ${token.token}` } })
    expect((await search()).statusCode).toBe(200)
    const told: string[] = []
    server.deps.bus.subscribe((news) => news.kind === 'apiTokensEnded' && told.push(...news.tokenIds))
    await admin.call(apiToken.end, { id: token.id })
    expect(told).toEqual([token.id])
    // As if another server had ended it, and this one had only its news.
    const other = await makeApiToken(admin)
    const searchOther = () =>
      server.app.inject({ url: '/dicom-web/studies', headers: { authorization: `Bearer ${other.token}` } })
    expect((await searchOther()).statusCode).toBe(200)
    const endedRow = { ended_date: new Date(), ended_by: 'Another server' }
    await server.deps.db.updateTable('api_tokens').set(endedRow).where('id', '=', other.id).execute()
    server.deps.bus.publish({ kind: 'apiTokensEnded', tokenIds: [other.id] })
    expect((await searchOther()).statusCode).toBe(401)
  })

  it('leaves nothing of its token in the log, whatever becomes of its requests [P23, P35]', async () => {
    const token = await makeApiToken(admin, { name: 'Quiet machine' })
    const access = await exchangeForAccessToken(server, token)
    const shown = await Promise.all(wayNames.map((way) => ways[way](server, token)))
    const ask = async () => {
      for (const authorization of shown)
        for (const path of ['/dicom-web/studies', '/api/Scan/list', '/dicom-web/studies?PatientName=%00', '/live'])
          await server.app.inject({ url: path, headers: { authorization } })
    }
    await ask()
    await admin.call(apiToken.end, { id: token.id })
    await ask()
    const secrets = [token.token, token.token.slice(4, 40), access, ...shown.map((each) => each.split(' ')[1] ?? '')]
    expect(server.logs.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([])
    expect(server.logs.some((line) => line.includes(token.id))).toBe(true)
  })
})

describe('limits', () => {
  it('count for each API token: one that asks too often waits, another of the same owner goes on [P19, P35]', async () => {
    const strict = await startServer({ DMP_LIMIT_FACTOR: '0.01' })
    try {
      const person = await strict.signIn('admin')
      const busy = await makeApiToken(person)
      // The limit on making tokens is not meant here.
      jest.spyOn(strict.deps.limits, 'spend').mockResolvedValueOnce(undefined).mockResolvedValueOnce(undefined)
      const calm = await makeApiToken(person)
      jest.mocked(strict.deps.limits.spend).mockRestore()
      const search = ({ token }: NewApiToken) =>
        strict.app.inject({ url: '/dicom-web/studies', headers: { authorization: `Bearer ${token}` } })
      for (let n = 0; n < 60; n += 1) expect((await search(busy)).statusCode).toBe(200)
      const refused = await search(busy)
      expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
      expect((await search(calm)).statusCode).toBe(200)
    } finally {
      await strict.close()
    }
  })

  it('of an address that a stranger used up leave a known machine alone [P18, P35]', async () => {
    const strict = await startServer({ DMP_LIMIT_FACTOR: '0.05' })
    try {
      const token = await makeApiToken(await strict.signIn('admin'))
      await exchangeForAccessToken(strict, token)
      const stranger = (path: string, method: 'GET' | 'POST') => strict.app.inject({ method, url: path })
      for (const [path, method] of [
        ['/api/oauth/token', 'POST'],
        ['/dicom-web/studies', 'GET'],
      ] as const)
        while ((await stranger(path, method)).statusCode !== 429);
      // One that this server has not seen yet: its signature says whose it is.
      const authorization = `Bearer ${await exchangeForAccessToken(strict, token)}`
      const found = await strict.app.inject({ url: '/dicom-web/studies', headers: { authorization } })
      expect(found.statusCode).toBe(200)
    } finally {
      await strict.close()
    }
  })
})
