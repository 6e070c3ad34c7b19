import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { businessUser, inbox, limits, organization } from '@dmp/contract'
import { sql } from 'kysely'
import { admin, northId, objects, root, server, south, southId, startWithScans } from '../export/exportInTests.ts'
import { addDestination, destination } from '../../ownThingsInTests.ts'
import { endIdleImports, mostTries, runImport } from './importJob.ts'
import { archiveOfNorth, filesOf, importsOf, stockOf, toZip, tusHeaders, withSums } from './importInTests.ts'
import { ImportFiles, toFileId } from './importFiles.ts'

jest.setTimeout(600_000)

let archive: Buffer
let imports: ReturnType<typeof importsOf>
beforeAll(async () => {
  await startWithScans()
  archive = await archiveOfNorth()
  imports = importsOf(server)
})
afterAll(() => server.close())
afterEach(() => jest.restoreAllMocks())

const auditOf = async (importId: string) =>
  server.deps.db
    .selectFrom('audit')
    .select(['actor_id', 'subject'])
    .where('chain', '=', southId)
    .where('event', '=', 'OrganizationImported')
    .orderBy('position')
    .execute()
    .then((rows) => rows.filter(({ subject }) => (subject as { importId?: string }).importId === importId))

describe('an import of an export', () => {
  it('stores everything once, tells what, and a second one changes nothing [P24, P75]', async () => {
    const first = await imports.imported(south, southId, archive)
    expect(first).toMatchObject({ state: 'Done', from: 'North-Clinic', objects: 5, stored: 5, present: 0, refused: 0 })
    expect(first.records.map(({ kind }) => kind)).toEqual([...organization.importRecordKinds])
    const recorded = await auditOf(first.id)
    expect(recorded[0]).toEqual({
      actor_id: south.userId,
      subject: { importId: first.id, state: 'begun', bytes: archive.length },
    })
    expect(recorded.at(-1)?.subject).toEqual({
      importId: first.id,
      state: 'whole',
      from: 'North-Clinic',
      objects: 5,
      stored: 5,
      present: 0,
      refused: 0,
    })
    const { data } = await south.call(inbox.list, {})
    expect(data.entries.find(({ kind }) => kind === 'ImportOver')).toMatchObject({
      link: `/account/organization/import?organizationId=${southId}`,
      what: 'South-Clinic',
    })
    const others = (await admin.call(inbox.list, {})).data.entries
    expect(others.filter(({ kind }) => kind === 'ImportOver')).toEqual([])
    const stock = await stockOf(server, southId)
    const second = await imports.imported(south, southId, archive)
    expect(second).toMatchObject({ state: 'Done', stored: 0, present: 5, refused: 0 })
    expect(second.records.every(({ added }) => added === 0)).toBe(true)
    expect(await stockOf(server, southId)).toEqual(stock)
    expect(await new ImportFiles(server.deps).listHere()).toEqual([])
  })

  it('arrives in pieces, and goes on where the line broke [P75]', async () => {
    const item = await imports.begun(south, southId, archive.length)
    const half = Math.floor(archive.length / 2)
    expect((await imports.send(south, item, archive.subarray(0, half))).statusCode).toBe(204)
    const head = await imports.head(south, item)
    expect(head.headers).toMatchObject({ 'upload-offset': String(half), 'upload-length': String(archive.length) })
    // What has arrived already is not written again.
    expect((await imports.send(south, item, archive, 0)).statusCode).toBe(409)
    expect((await imports.send(south, item, archive.subarray(half), half)).statusCode).toBe(204)
    expect(await imports.settled(south, southId)).toMatchObject({ state: 'Done', present: 5 })
    // The last answer may have got lost.
    expect((await imports.head(south, item)).headers['upload-offset']).toBe(String(archive.length))
    expect((await imports.send(south, item, archive.subarray(half), half)).statusCode).toBe(404)
  })

  it('takes the folder that a zip program packed, with a folder around it [P75]', async () => {
    const files = [...filesOf(archive)].map(([name, bytes]) => [`export/${name}`, bytes] as const)
    const packed = toZip([['__MACOSX/export/._export.json', Buffer.from('x')], ...files])
    expect(await imports.imported(south, southId, packed)).toMatchObject({ state: 'Done', objects: 5, present: 5 })
  })

  it('is tried again where the store was away for a moment, and counts nothing twice [P75]', async () => {
    const fresh = await newOrganization()
    const item = await imports.begun(root, fresh, archive.length)
    const stage = server.deps.objects.stage.bind(server.deps.objects)
    let staged = 0
    jest.spyOn(server.deps.objects, 'stage').mockImplementation(async (...input) => {
      staged += 1
      if (staged === 1) throw Object.assign(new Error('The store is away.'), { syscall: 'write' })
      return stage(...input)
    })
    expect((await imports.send(root, item, archive)).statusCode).toBe(204)
    while (staged === 0) await new Promise((done) => setTimeout(done, 20))
    // By hand, sooner than the server does.
    const files = new ImportFiles(server.deps)
    for (;;) {
      const done = await runImport(server.deps, files, item.id, new AbortController().signal).then(
        () => true,
        () => false,
      )
      if (done) break
      await new Promise((again) => setTimeout(again, 50))
    }
    expect(await imports.settled(root, fresh)).toMatchObject({ state: 'Done', stored: 5, present: 0, refused: 0 })
  })

  it('is ended by whoever may, and keeps nothing of the archive [P18, P75]', async () => {
    const item = await imports.begun(south, southId, archive.length)
    expect((await imports.start(root, southId, 10)).code).toBe('IMPORT_UNDER_WAY')
    expect((await imports.send(south, item, archive.subarray(0, 100))).statusCode).toBe(204)
    const ended = await root.call(organization.endImport, { id: southId, importId: item.id })
    expect(ended.data[0]).toMatchObject({ state: 'Ended', reason: 'Person', uploadUrl: null })
    expect((await imports.send(south, item, archive.subarray(100), 100)).statusCode).toBe(404)
    expect((await root.call(organization.endImport, { id: southId, importId: item.id })).code).toBe('UNCHANGED')
    expect(await new ImportFiles(server.deps).has(item)).toBe(false)
  })
})

interface Values {
  readonly status?: 'Activated' | 'Deactivated'
  readonly role?: 'admin' | 'staff'
}

/** As the database has it from now on, and as every server is told. */
async function setSouth(values: Values) {
  await server.deps.db.updateTable('users').set(values).where('id', '=', south.userId).execute()
  server.deps.bus.publish({ kind: 'missed' })
}
const lostRights: readonly [string, Values][] = [
  ['is deactivated', { status: 'Deactivated' }],
  ['gets a role without it', { role: 'staff' }],
]

it.each<[string, (id: string) => Promise<unknown>]>([
  ['somebody else ends it', (id: string) => root.call(organization.endImport, { id: southId, importId: id })],
  ...lostRights.map(([what, values]): [string, () => Promise<void>] => [
    `who sends it ${what}`,
    () => setSouth(values),
  ]),
])('cuts off what is still being sent when %s [P11, P75]', async (_what, end) => {
  const item = await imports.begun(south, southId, archive.length)
  const address = server.app.server.listening ? server.app.listeningOrigin : await server.listen()
  const sending = request(`${address}/api/Organization/imports/${item.id}`, {
    method: 'PATCH',
    headers: { ...south.headers, ...tusHeaders(0), 'content-length': archive.length },
  })
  const cut = new Promise<string>((resolve) => {
    sending.on('error', () => resolve('cut')).on('response', ({ statusCode }) => resolve(String(statusCode)))
  })
  sending.write(archive.subarray(0, 1000))
  const { uploads } = new ImportFiles(server.deps)
  while ((await uploads.getUpload(toFileId(item.id))).offset === 0) await pause(20)
  await end(item.id)
  // Long before a line is cut on which nothing comes.
  expect(await Promise.race([cut, pause(20_000, 'goes on', { ref: false })])).toBe('cut')
  await setSouth({ status: 'Activated', role: 'admin' })
  await root.call(organization.endImport, { id: southId, importId: item.id })
})

it.each<[string, Values, number, string, string]>([
  ['was tried once less than it may be', { status: 'Activated' }, mostTries - 1, 'Failed', 'Unreadable'],
  ['was tried as often as it may be', { status: 'Activated' }, mostTries, 'Failed', 'Interrupted'],
  ...lostRights.map(([what, values]): [string, Values, number, string, string] => [
    `is of somebody who ${what}`,
    values,
    0,
    'Ended',
    'RightLost',
  ]),
])('an import that %s is judged before its archive [P11, P75]', async (_what, values, tries, state, reason) => {
  const item = await imports.begun(south, southId, 10)
  const files = new ImportFiles(server.deps)
  const { db } = server.deps
  await db.updateTable('organization_imports').set({ state: 'Waiting', tries }).where('id', '=', item.id).execute()
  await setSouth(values)
  await runImport(server.deps, files, item.id, new AbortController().signal)
  await setSouth({ status: 'Activated', role: 'admin' })
  expect((await imports.list(root, southId))[0]).toMatchObject({ id: item.id, state, reason })
  expect(await files.has(item)).toBe(false)
})

it.each([
  ['Uploading', 'Expired', null, { state: 'expired' }],
  ['Waiting', 'Failed', 'Interrupted', { state: 'failed', reason: 'Interrupted' }],
] as const)(
  'given up while %s, it is recorded, and its archive is gone [P10, P75]',
  async (state, over, reason, told) => {
    const fresh = await newOrganization()
    const item = await imports.begun(root, fresh, 10)
    const days = limits.importIdleDays
    await sql`update organization_imports set state = ${state},
    alive_date = now() - make_interval(days => ${days}, secs => 1) where id = ${item.id}`.execute(server.deps.db)
    await endIdleImports(server.deps, new ImportFiles(server.deps))
    expect((await imports.list(root, fresh))[0]).toMatchObject({ id: item.id, state: over, reason })
    const { subject } = await server.deps.db
      .selectFrom('audit')
      .select('subject')
      .where('event', '=', 'OrganizationImported')
      .where('chain', '=', fresh)
      .orderBy('position', 'desc')
      .executeTakeFirstOrThrow()
    expect(subject).toEqual({ importId: item.id, ...told })
    expect(await new ImportFiles(server.deps).has(item)).toBe(false)
  },
)

it('that is gone on with is not given up [P75]', async () => {
  const item = await imports.begun(south, southId, 10)
  await endIdleImports(server.deps, new ImportFiles(server.deps))
  expect((await imports.list(south, southId))[0]).toMatchObject({ id: item.id, state: 'Uploading' })
  expect((await south.call(organization.endImport, { id: southId, importId: item.id })).status).toBe(200)
})

/** A customer that has nothing yet. */
async function newOrganization(): Promise<string> {
  const find = () =>
    server.deps.db.selectFrom('organizations').select('id').where('name', '=', destination).executeTakeFirst()
  if (!(await find())) await addDestination(root)
  return (await find())?.id ?? ''
}

describe('who imports', () => {
  it('needs the right, the wall and the password, and sends what they started themselves [P01, P02, P04, P75]', async () => {
    const [staff, system] = await Promise.all([server.signIn('staff'), server.signIn('sys_admin')])
    for (const who of [staff, system]) {
      expect((await who.call(organization.listImports, { id: northId })).status).toBe(403)
      expect((await imports.start(who, northId, 10)).status).toBe(403)
    }
    expect((await imports.start(south, northId, 10)).status).toBe(404)
    expect((await imports.start(admin, northId, 10, 'Wrong Passw0rd!')).fields?.[0]?.path).toBe('password')
    const provider = organization.providerOrganizationId
    expect((await imports.start(root, provider, 10)).code).toBe('BUILT_IN_ORGANIZATION')
    const item = await imports.begun(admin, northId, 10)
    for (const who of [south, root]) expect((await imports.send(who, item, Buffer.alloc(10))).statusCode).toBe(404)
    expect((await imports.send(staff, item, Buffer.alloc(10))).statusCode).toBe(403)
    expect((await south.call(organization.endImport, { id: southId, importId: item.id })).status).toBe(404)
    expect((await admin.call(organization.endImport, { id: northId, importId: item.id })).status).toBe(200)
  })

  it('is asked for all the time: who loses the right stores nothing any more [P11, P75]', async () => {
    const item = await imports.begun(admin, northId, archive.length)
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: reading, resolve: isReading } = Promise.withResolvers<void>()
    const stage = server.deps.objects.stage.bind(server.deps.objects)
    jest.spyOn(server.deps.objects, 'stage').mockImplementation(async (...input) => {
      isReading()
      await held
      return stage(...input)
    })
    expect((await imports.send(admin, item, archive)).statusCode).toBe(204)
    await reading
    expect((await root.call(businessUser.deactivateUser, { id: admin.userId })).status).toBe(200)
    const over = await imports.settled(root, northId)
    expect(over).toMatchObject({ state: 'Ended', reason: 'RightLost' })
    release()
    expect((await imports.send(admin, item, Buffer.alloc(1))).statusCode).toBe(401)
    await root.call(businessUser.activateUser, { id: admin.userId })
  })

  it('is refused what is larger than there may be, before a byte arrives [P18, P75]', async () => {
    const tooLarge = await imports.start(south, southId, server.deps.settings.importGigabytes * 2 ** 30 + 1)
    expect([tooLarge.status, tooLarge.code]).toEqual([413, 'TOO_LARGE'])
    const { settings } = server.deps
    const quota = jest.replaceProperty(settings, 'organizationQuotaGigabytes', 2 ** -20)
    const overQuota = await imports.start(south, southId, 1025)
    expect([overQuota.status, overQuota.code]).toEqual([413, 'QUOTA'])
    const fits = await imports.begun(south, southId, 1024)
    expect((await south.call(organization.endImport, { id: southId, importId: fits.id })).status).toBe(200)
    quota.restore()
    jest.spyOn(server.deps.disk, 'countFreeMegabytes').mockResolvedValue(600)
    const noRoom = await imports.start(south, southId, 100 * 2 ** 20)
    expect([noRoom.status, noRoom.code]).toEqual([507, 'NO_ROOM'])
    jest.restoreAllMocks()
    const item = await imports.begun(south, southId, 10)
    // More than was said.
    expect((await imports.send(south, item, Buffer.alloc(11))).statusCode).toBe(413)
    expect((await south.call(organization.endImport, { id: southId, importId: item.id })).status).toBe(200)
  })
})

describe('objects of an archive', () => {
  it('are judged one by one, and refused by the name of their file [P12, P75]', async () => {
    const files = filesOf(archive)
    const [damaged, gone, ...others] = [...files.keys()].filter((name) => name.includes('/DICOM/'))
    files.set(String(damaged), Buffer.from(objects[0] ?? '').fill(7, 400, 410))
    files.delete(String(gone))
    files.set('scans-0001/DICOM/D00000/EXTRA', Buffer.from(objects[0] ?? ''))
    expect(others).toHaveLength(3)
    const done = await imports.imported(south, southId, toZip(withSums(files)))
    expect(done).toMatchObject({ state: 'Done', stored: 0, present: 3, refused: 3 })
    const named = done.refusals.flatMap(({ examples }) => examples)
    expect(named.sort()).toEqual([damaged, gone, 'scans-0001/DICOM/D00000/EXTRA'].sort())
  })
})
