import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiToken, limits, scan, station } from '@dmp/contract'
import { aStationReport, northClinic } from '@dmp/contract/examples'
import { sql } from 'kysely'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { demoPassword } from '../account/demoAccounts.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-uploaders-'))
mkdirSync(join(folder, 'update'))
const offer = (text: string): void => writeFileSync(join(folder, 'update', 'uploader.json'), text)
const statement = { version: '1.2.0', size: 9, sha256: 'ab', signature: 'cd' }

let server: TestServer
let admin: SignedIn
let south: SignedIn
let provider: SignedIn
let service: SignedIn
beforeAll(async () => {
  server = await startServer({ DMP_UPLOADERS: folder })
  admin = await server.signIn('admin')
  south = await server.signIn('admin@south.example')
  provider = await server.signIn('super_admin')
  service = await server.signIn('service_user')
})
beforeEach(() => offer(JSON.stringify(statement)))
afterEach(() => sql`delete from stations`.execute(server.deps.db))
afterAll(() => server.close())

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const listFor = async (who: SignedIn) => (await who.call(station.list, {})).data
const audited = async (event: string): Promise<number> => {
  const { count } = await server.deps.db
    .selectFrom('audit')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('event', '=', event)
    .executeTakeFirstOrThrow()
  return count
}
const createToken = async (): Promise<string> =>
  (
    await admin.call(apiToken.add, {
      name: `Room ${Math.random()}`.slice(0, 30),
      scopes: ['upload'],
      password: demoPassword,
    })
  ).data.token
const tellBy = (secret: string, report = aStationReport()) =>
  server.app.inject({
    method: 'POST',
    url: '/api/Station/tell',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    payload: report,
  })

describe('a station', () => {
  it('tells how it is with its own key, and its administrators and the provider see it, nobody else [P56, P02]', async () => {
    const reply = await tellBy(await createToken(), aStationReport({ version: '1.1.0' }))
    expect(reply.json()).toMatchObject({
      data: { organization: northClinic.name, product: 'v1.1.0', offered: '1.2.0', oldest: '1.0.0' },
    })
    const [row] = await listFor(admin)
    expect(row).toMatchObject({ name: 'CT in room 3', status: 'Sending', waiting: 1200, refused: 2, isOutdated: true })
    expect(row?.account).toMatch(/^Room /)
    expect((await listFor(provider)).map(({ id }) => id)).toEqual([row?.id])
    expect(await listFor(south)).toEqual([])
    expect((await (await server.signIn('staff')).call(station.list, {})).status).toBe(403)
  })

  it('is one row however often it tells, and recorded when it appears alone [P56, P10]', async () => {
    const before = await audited('StationAdded')
    for (const waiting of [3, 2, 0]) await service.call(station.tell, aStationReport({ waiting }))
    expect(await listFor(admin)).toMatchObject([{ waiting: 0, status: 'Refused', refused: 2 }])
    await service.call(station.tell, aStationReport({ waiting: 0, refused: 0 }))
    expect(await listFor(admin)).toMatchObject([{ waiting: 0, status: 'Idle' }])
    expect((await audited('StationAdded')) - before).toBe(1)
  })

  it('is one row for each machine of an account, and whatever becomes of one leaves the others [P56, P02]', async () => {
    const [own, next] = [await createToken(), await createToken()]
    const beside = await south.call(apiToken.add, { name: 'Beside', scopes: ['upload'], password: demoPassword })
    await tellBy(beside.data.token, aStationReport({ name: 'Of South' }))
    for (const n of [1, 2]) await tellBy(own, aStationReport({ name: `Machine ${n}`, machineId: uuid(n) }))
    await tellBy(own, aStationReport({ name: 'Machine 1, renamed', machineId: uuid(1) }))
    const namesOf = async (who: SignedIn) => (await listFor(who)).map(({ name }) => name).sort()
    expect(await namesOf(admin)).toEqual(['Machine 1, renamed', 'Machine 2'])
    const { data: tokens } = await admin.call(apiToken.list, {})
    await admin.call(apiToken.end, { id: tokens.find(({ hint }) => hint === own.slice(-4))?.id ?? '' })
    await tellBy(next, aStationReport({ name: 'Machine 2, again', machineId: uuid(2) }))
    expect(await namesOf(admin)).toEqual(['Machine 1, renamed', 'Machine 2, again'])
    const gone = (await listFor(admin)).find(({ name }) => name === 'Machine 1, renamed')
    expect((await admin.call(station.remove, { id: gone?.id ?? '' })).status).toBe(200)
    expect([await namesOf(admin), await namesOf(south)]).toEqual([['Machine 2, again'], ['Of South']])
  })

  it('says that it de-identifies what it sends, and one of before says nothing [P80]', async () => {
    await service.call(station.tell, aStationReport({ isDeidentifying: true }))
    expect(await listFor(admin)).toMatchObject([{ isDeidentifying: true }])
    await service.call(station.tell, aStationReport())
    expect(await listFor(admin)).toMatchObject([{ isDeidentifying: false }])
  })

  it('of one key is not changed by another key that names it [P56]', async () => {
    await tellBy(await createToken(), aStationReport({ name: 'Mine' }))
    await tellBy(await createToken(), aStationReport({ name: 'Thief' }))
    expect((await listFor(admin)).map(({ name }) => name).sort()).toEqual(['Mine', 'Thief'])
  })

  it('is the same row with a new key once the earlier one has ended or expired, in its organization alone [P56]', async () => {
    const [first, second, third] = [await createToken(), await createToken(), await createToken()]
    await tellBy(first, aStationReport({ name: 'First' }))
    await tellBy(second, aStationReport({ name: 'Second' }))
    const both = await listFor(admin)
    expect(both).toHaveLength(2)
    const latest = both.find(({ name }) => name === 'Second')
    const { data: tokens } = await admin.call(apiToken.list, {})
    for (const secret of [first, second])
      await admin.call(apiToken.end, { id: tokens.find(({ hint }) => hint === secret.slice(-4))?.id ?? '' })
    await tellBy(third, aStationReport({ name: 'Third' }))
    const rows = await listFor(admin)
    // Of several, the row that was heard last goes on, and the others are gone.
    expect(rows).toMatchObject([{ name: 'Third', id: latest?.id, firstSeenDate: latest?.firstSeenDate }])
    const foreign = await south.call(apiToken.add, { name: 'South', scopes: ['upload'], password: demoPassword })
    await sql`update api_tokens set expires_date = now() where organization_id = (
      select organization_id from stations)`.execute(server.deps.db)
    await tellBy(foreign.data.token, aStationReport({ name: 'Elsewhere' }))
    // As it was, but for its own API token, which has expired meanwhile.
    const expired = { tokenStatus: 'Expired', tokenExpiresDate: expect.any(String) as string }
    expect(await listFor(admin)).toEqual(rows.map((row) => ({ ...row, ...expired })))
    expect(await listFor(south)).toMatchObject([{ name: 'Elsewhere' }])
  })

  it('says at once that its API token has ended, expired or is suspended, and is found by that [P56, P35]', async () => {
    const secret = await createToken()
    const told = await tellBy(secret, aStationReport({ waiting: 0, refused: 0 }))
    const [row] = await listFor(admin)
    const { data: token } = await admin.call(apiToken.get, { id: row?.tokenId ?? '' })
    expect(token).toMatchObject({ name: row?.account, hint: secret.slice(-4), expiresDate: row?.tokenExpiresDate })
    expect(row).toMatchObject({ status: 'Idle', tokenStatus: 'Active' })
    expect(told.json()).toMatchObject({ data: { tokenExpiresDate: token.expiresDate } })
    const { db } = server.deps
    const found = async (search: string) => (await admin.call(station.list, { search })).data.length
    const ofOwner = (status: string) =>
      sql`update users set status = ${status} where id = (select owner_id from api_tokens where id = ${token.id})`
    await ofOwner('Deactivated').execute(db)
    const [suspended] = await listFor(provider)
    await ofOwner('Activated').execute(db)
    await sql`update api_tokens set expires_date = now() where id = ${token.id}`.execute(db)
    const [expired] = await listFor(admin)
    await admin.call(apiToken.end, { id: token.id })
    const [ended] = await listFor(admin)
    expect([suspended, expired, ended].map((each) => each?.tokenStatus)).toEqual(['Suspended', 'Expired', 'Ended'])
    expect([await found('Token ended'), await found('Idle')]).toEqual([1, 0])
  })

  it('stands in the list in the order of what is shown of it, also where its API token has ended [P56]', async () => {
    const [first, second] = [await createToken(), await createToken()]
    await tellBy(first, aStationReport({ name: 'Idle, and ended', machineId: uuid(1), waiting: 0, refused: 0 }))
    await tellBy(second, aStationReport({ name: 'Sending', machineId: uuid(2) }))
    const { data: tokens } = await admin.call(apiToken.list, {})
    await admin.call(apiToken.end, { id: tokens.find(({ hint }) => hint === first.slice(-4))?.id ?? '' })
    const sorted = async (direction: 'asc' | 'desc') =>
      (await admin.call(station.list, { sort: 'status', direction })).data.map(({ name }) => name)
    expect(await sorted('asc')).toEqual(['Sending', 'Idle, and ended'])
    expect(await sorted('desc')).toEqual(['Idle, and ended', 'Sending'])
  })

  it('of an account says nothing of an API token, in the list and in the answer [P56]', async () => {
    const { data } = await service.call(station.tell, aStationReport())
    const [row] = await listFor(admin)
    expect([Object.keys(data), Object.keys(row ?? {})].flat().filter((key) => key.startsWith('token'))).toEqual([])
  })

  it('is paused, failing, or silent after some minutes, and says so [P56]', async () => {
    await service.call(station.tell, aStationReport({ isPaused: true, failed: 4 }))
    expect(await listFor(admin)).toMatchObject([{ status: 'Paused' }])
    await service.call(station.tell, aStationReport({ failed: 4 }))
    expect(await listFor(admin)).toMatchObject([{ status: 'Failing', failed: 4 }])
    await sql`update stations set last_seen_date = now() - make_interval(mins => ${limits.stationSilentMinutes + 1})`.execute(
      server.deps.db,
    )
    expect(await listFor(admin)).toMatchObject([{ status: 'Silent' }])
  })

  it('tells no file and no patient: whatever else it says is refused [P56, P23]', async () => {
    const reply = await service.call(station.tell, { ...aStationReport(), lastFile: '/scans/MILLER.dcm' } as never)
    expect(reply.status).toBe(400)
    expect((await service.call(station.tell, aStationReport({ waiting: -1 }))).status).toBe(400)
    expect((await service.call(station.tell, aStationReport({ version: 'x' }))).status).toBe(400)
    expect(await listFor(admin)).toEqual([])
  })

  it('is told by nobody without the right to upload [P56]', async () => {
    expect((await server.call(station.tell, aStationReport())).status).toBe(401)
  })

  it.each([
    ['an account', limits.stationsPerAccount, 1],
    ['an organization', limits.stationsPerOrganization, 10],
  ])('is the last of as many as %s may have, and goes on telling [P56, P18]', async (_who, most, accounts) => {
    const { organizationId, accountId } = await idsOf(service)
    // The account of the service user among others, none of which has too many.
    await sql`insert into stations (organization_id, account_id, machine_id, name, version, system, waiting,
      waiting_bytes, sent, refused, failed, is_paused, address)
      select ${organizationId},
        case n % ${accounts}::int when 0 then ${accountId}::uuid else md5((n % ${accounts}::int)::text)::uuid end,
        gen_random_uuid(), 'x', '1.0.0', 'Linux', 0, 0, 0, 0, 0, false, ''
      from generate_series(1, ${most - 1}::int) n`.execute(server.deps.db)
    const tell = async (n: number) => (await service.call(station.tell, aStationReport({ machineId: uuid(n) }))).code
    expect([await tell(7), await tell(8), await tell(7)]).toEqual([undefined, 'TOO_MANY', undefined])
    expect((await south.call(station.tell, aStationReport())).code).toBe(undefined)
  })

  it('that is gone is taken off the list by its administrators alone, which is recorded [P56, P02, P10]', async () => {
    await service.call(station.tell, aStationReport())
    const [row] = await listFor(admin)
    const id = row?.id ?? ''
    expect((await south.call(station.remove, { id })).status).toBe(404)
    const before = await audited('StationRemoved')
    expect((await admin.call(station.remove, { id })).status).toBe(200)
    expect((await admin.call(station.remove, { id })).status).toBe(404)
    expect([await listFor(admin), (await audited('StationRemoved')) - before]).toEqual([[], 1])
  })
})

const idsOf = async (who: SignedIn): Promise<{ organizationId: string; accountId: string }> => {
  await who.call(station.tell, aStationReport())
  const { organization_id, account_id } = await server.deps.db
    .selectFrom('stations')
    .select(['organization_id', 'account_id'])
    .executeTakeFirstOrThrow()
  await sql`delete from stations`.execute(server.deps.db)
  return { organizationId: organization_id, accountId: account_id }
}

describe('what the server offers to uploaders', () => {
  it('is the statement and the program as the build made them, to whoever asks [P56]', async () => {
    writeFileSync(join(folder, 'update', 'uploader.cjs'), 'a program')
    const current = await server.app.inject('/downloads/uploader/current')
    expect(current.json()).toEqual({ product: 'v1.1.0', oldest: '1.0.0', offered: statement })
    const program = await server.app.inject('/downloads/uploader/program')
    expect(program.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
    })
    expect([program.statusCode, program.body]).toEqual([200, 'a program'])
  })

  it.each(['', '{', '{"version":"new"}', 'x'.repeat(20_000)])(
    'is nothing where the statement is broken [P56]',
    async (text) => {
      offer(text)
      expect((await server.app.inject('/downloads/uploader/current')).json()).toMatchObject({ offered: null })
      expect((await service.call(station.tell, aStationReport())).data.offered).toBeNull()
    },
  )

  it('is for macOS an archive [2.41]', async () => {
    mkdirSync(join(folder, 'macos'), { recursive: true })
    writeFileSync(join(folder, 'macos', 'dmp-uploader.tar.gz'), 'an archive')
    const organizationId = await server.organizationOf(admin)
    const { url } = (await admin.call(scan.getUploader, { organizationId, platform: 'macos' })).data
    expect((await server.app.inject(new URL(url).pathname)).body).toBe('an archive')
  })
})
