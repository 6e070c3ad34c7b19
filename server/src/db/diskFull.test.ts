import { account, complaint, organization, registration } from '@dmp/contract'
import { complaintTypes } from '@dmp/contract/examples'
import { toPolicy } from '@dmp/contract/policy'
import { FileStore } from '@tus/file-store'
import { sql } from 'kysely'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'

/** P21: a full disk, as the database says it (53100), at each place where a change may meet it. */
let server: TestServer
let root: SignedIn
let staff: SignedIn
beforeAll(async () => {
  server = await startServer()
  root = await server.signIn('super_admin')
  staff = await server.signIn('staff')
  await sql`create function no_room() returns trigger language plpgsql as $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`.execute(
    server.deps.db,
  )
})
afterAll(() => server.close())

const tables = ['audit', 'mails', 'complaint_images', 'complaint_history', 'organizations', 'sessions'] as const
const fill = (table: (typeof tables)[number]) =>
  sql`create trigger no_room before insert on ${sql.table(table)} for each row execute function no_room()`.execute(
    server.deps.db,
  )
const empty = (table: (typeof tables)[number]) =>
  sql`drop trigger no_room on ${sql.table(table)}`.execute(server.deps.db)
const rows = async () => {
  const counted = await Promise.all(
    ['complaints', 'complaint_history', 'complaint_images', 'organizations', 'users', 'mails', 'audit', 'sessions'].map(
      (table) => sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(server.deps.db),
    ),
  )
  return counted.map((one) => one.rows[0]?.n)
}

const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const complain = () =>
  staff.call(complaint.add, {
    typeId: complaintTypes[0]?.id,
    moduleId: toPolicy('staff')[0]?.moduleId,
    description: 'full',
    imageData: JSON.stringify({ filename: 'x.png', filesize: 70, fileDataURL: png }),
  })
const waiting = async () =>
  (
    await server.deps.db
      .selectFrom('registrations')
      .select('id')
      .where('status', '=', 'New')
      .orderBy('created_date')
      .executeTakeFirstOrThrow()
  ).id

describe('a full disk', () => {
  it.each<
    [
      (typeof tables)[number],
      string,
      () => Promise<{
        status: number
        code: string | undefined
        message: string | undefined
        headers: Record<string, unknown>
      }>,
    ]
  >([
    ['complaint_images', 'a complaint with its picture', complain],
    ['complaint_history', 'a complaint', complain],
    [
      'audit',
      'a change that cannot be recorded',
      async () =>
        root.call(organization.createDatastore, {
          id: (
            await server.deps.db
              .selectFrom('organizations')
              .select('id')
              .where('datastore_id', 'is', null)
              .where('status', '=', 'Activated')
              .where('name', '!=', 'Provider')
              .executeTakeFirstOrThrow()
          ).id,
        }),
    ],
    [
      'mails',
      'an approval whose mail finds no room',
      async () => root.call(registration.approve, { id: await waiting() }),
    ],
    ['organizations', 'an approval', async () => root.call(registration.approve, { id: await waiting() })],
    [
      'sessions',
      'a sign-in',
      () =>
        server.call(account.login, { ClientId: 'dmp-web', email: 'staff@north.example', password: 'DemoPassw0rd!' }),
    ],
  ])(
    'at %s: %s is refused in one clear sentence, nothing of it is kept, and it works once there is room [P20, P21]',
    async (table, _what, act) => {
      const before = await rows()
      await fill(table)
      const reply = await act()
      expect([reply.status, reply.code, reply.message]).toEqual([
        507,
        'NO_ROOM',
        'The server is out of disk space, so nothing was saved. Please try again later, or tell the operator.',
      ])
      expect(Number(reply.headers['retry-after'])).toBe(60)
      await empty(table)
      expect(await rows()).toEqual(before)
      expect((await act()).status).toBe(200)
    },
  )

  it('says the same of an upload in pieces, which goes on once there is room [P21]', async () => {
    const url = await server.listen()
    const headers = { 'tus-resumable': '1.0.0', ...staff.headers }
    const begun = await fetch(`${url}/api/Scan/uploads`, {
      method: 'POST',
      headers: { ...headers, 'upload-length': '100' },
    })
    const piece = () =>
      fetch(url + (begun.headers.get('location') ?? ''), {
        method: 'PATCH',
        headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
        body: new Uint8Array(40),
      })
    const write = jest
      .spyOn(FileStore.prototype, 'write')
      .mockRejectedValueOnce(Object.assign(new Error('write'), { code: 'ENOSPC', syscall: 'write' }))
    const full = await piece()
    expect([full.status, await full.json()]).toEqual([
      507,
      expect.objectContaining({
        code: 'NO_ROOM',
        message: 'The server is out of disk space, so nothing was saved. Please try again later, or tell the operator.',
      }),
    ])
    write.mockRestore()
    const again = await piece()
    expect([again.status, again.headers.get('upload-offset')]).toEqual([204, '40'])
  })
})
