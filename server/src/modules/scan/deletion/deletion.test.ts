import { audit, scan } from '@dmp/contract'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'

let server: TestServer
let admin: SignedIn
let south: SignedIn
let organizationId: string

beforeAll(async () => {
  // What lies in the bin has tests of its own.
  server = await startServer({ DMP_BIN_DAYS: '0' })
  ;[admin, south] = await Promise.all([server.signIn('admin'), server.signIn('admin@south.example')])
  organizationId = await server.organizationOf(admin)
})
afterAll(() => server.close())

const stored = async (): Promise<number> => (await server.heldObjects()).length

/** Answers how many bytes that were. */
async function upload(series: string, slices: number): Promise<number> {
  const objects = Array.from({ length: slices }, (_, index) =>
    dicomFile({
      elements: slice({
        '00080018': text('UI', `${series}.${index + 1}`),
        '0020000D': text('UI', `${series}.0`),
        '0020000E': text('UI', series),
      }),
    }),
  )
  expect((await stow(server, admin, objects)).statusCode).toBe(200)
  return objects.reduce((sum, object) => sum + object.length, 0)
}
const remove = (who: SignedIn, seriesIdList: string[]) => who.call(scan.remove, { organizationId, seriesIdList })
const exists = async (seriesUID: string): Promise<boolean> =>
  (await admin.call(scan.get, { organizationId, seriesUID })).status === 200

describe('delete', () => {
  it('takes objects, index, thumbnails, links and downloads with it, and counts anew [7.38, 3.14]', async () => {
    const empty = (await admin.call(scan.getStorage, { organizationId })).data
    const bytes = [await upload('1.7.1', 3), await upload('1.7.2', 2)] as const
    const storageBefore = (await admin.call(scan.getStorage, { organizationId })).data
    expect([
      storageBefore.scans - empty.scans,
      storageBefore.images - empty.images,
      storageBefore.bytes - empty.bytes,
    ]).toEqual([2, 5, bytes[0] + bytes[1]])
    await admin.call(scan.share, { organizationId, seriesUID: '1.7.1', expireInDay: 1 })
    await admin.call(scan.download, { organizationId, seriesUID: '1.7.1' })
    expect(
      (await server.app.inject({ url: '/dicom-web/studies/1.7.1.0/series/1.7.1/thumbnail', headers: admin.headers }))
        .statusCode,
    ).toBe(200)
    expect(await stored()).toBe(5)

    const reply = await remove(admin, ['1.7.1'])
    expect([reply.status, reply.data]).toEqual([200, null])
    expect([await exists('1.7.1'), await exists('1.7.2'), await stored()]).toEqual([false, true, 2])
    for (const table of ['studies', 'instances', 'thumbnails', 'scan_shares', 'scan_downloads'] as const) {
      const column = table === 'studies' ? 'study_uid' : 'series_uid'
      const rows = await server.deps.db
        .selectFrom(table as 'instances')
        .select(column as 'series_uid')
        .where(column as 'series_uid', 'like', '1.7.1%')
        .execute()
      expect([table, rows]).toEqual([table, []])
    }
    const storageAfter = (await admin.call(scan.getStorage, { organizationId })).data
    expect([storageBefore.scans - storageAfter.scans, storageBefore.images - storageAfter.images]).toEqual([1, 3])
    expect(storageBefore.bytes - storageAfter.bytes).toBe(bytes[0])
  })

  it('is all or nothing: an unknown or foreign series among them leaves all where they are [P02]', async () => {
    await upload('1.8.1', 1)
    expect((await remove(admin, ['1.8.1', '1.8.404'])).status).toBe(404)
    expect((await remove(south, ['1.8.1'])).status).toBe(404)
    expect(await exists('1.8.1')).toBe(true)
  })

  it('needs Scan/Delete, which staff does not have [6.06, P01]', async () => {
    await upload('1.8.2', 1)
    expect((await remove(await server.signIn('staff'), ['1.8.2'])).status).toBe(403)
    expect((await server.call(scan.remove, { organizationId, seriesIdList: ['1.8.2'] })).status).toBe(401)
    expect(await exists('1.8.2')).toBe(true)
  })

  it('is refused with the reason where an archive keeps everything', async () => {
    await upload('1.8.5', 1)
    const keeps = jest.replaceProperty(server.deps.objects, 'canRemove', false)
    const refusedReply = await remove(admin, ['1.8.5'])
    keeps.restore()
    expect([refusedReply.status, refusedReply.code, await exists('1.8.5')]).toEqual([409, 'ARCHIVE_KEEPS', true])
  })

  it('can be uploaded again afterwards [P20]', async () => {
    await upload('1.8.3', 2)
    await remove(admin, ['1.8.3'])
    await upload('1.8.3', 2)
    expect(await exists('1.8.3')).toBe(true)
  })

  it('crossing an upload of the same series leaves every row with its object and every object with its row [P20]', async () => {
    for (let round = 0; round < 15; round++) {
      await upload('1.8.4', 2)
      const objects = Array.from({ length: 6 }, (_, index) =>
        dicomFile({
          elements: slice({
            '00080018': text('UI', `1.8.4.${index + 1}`),
            '0020000D': text('UI', '1.8.4.0'),
            '0020000E': text('UI', '1.8.4'),
          }),
        }),
      )
      const [uploaded] = await Promise.all([stow(server, admin, objects), remove(admin, ['1.8.4'])])
      expect([200, 202]).toContain(uploaded.statusCode)
      const rows = await server.deps.db.selectFrom('instances').select('sop_instance_uid').execute()
      expect(await server.heldObjects()).toEqual(rows.map((row) => row.sop_instance_uid).toSorted())
      await remove(admin, ['1.8.4'])
    }
  })

  it('is recorded with who and what [P24]', async () => {
    const row = await server.deps.db
      .selectFrom('audit')
      .select(['actor_id', 'subject'])
      .where('event', '=', 'ScansDeleted')
      .orderBy('position')
      .executeTakeFirstOrThrow()
    expect([row.actor_id, row.subject]).toEqual([
      admin.userId,
      { series: ['1.7.1'], studies: ['1.7.1.0'], instances: 3 },
    ])
    // As administrators read it.
    expect(
      (await admin.call(audit.list, { event: 'ScansDeleted', sort: 'at', direction: 'asc' })).data[0]?.subject,
    ).toEqual(
      expect.arrayContaining([
        { key: 'series', value: '1.7.1' },
        { key: 'instances', value: '3' },
      ]),
    )
  })
})
