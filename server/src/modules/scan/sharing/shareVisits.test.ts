import { businessUser, organization, scan } from '@dmp/contract'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { unzip } from '../download/downloadInTests.ts'
import { Stranger, storeStudies, tokenOf } from './shareInTests.ts'

let server: TestServer
let admin: SignedIn
beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  await storeStudies(server, admin, '1.81', 'Hidden^Name')
})
afterAll(() => server.close())

const organizationId = northClinic.id
const [first, second, third, fourth] = ['1.81.1.1', '1.81.1.2', '1.81.2.1', '1.81.2.2'] as const
const share = async (more: object = {}, seriesUID: string = first) => {
  const reply = await admin.call(scan.share, { organizationId, seriesUID, expireInDay: 1, ...more })
  expect([reply.status, reply.message]).toEqual([200, undefined])
  return tokenOf(reply.data.downloadUrl)
}
const newestLink = async (seriesUID: string = first) =>
  (await admin.call(scan.listShares, { organizationId, seriesUID })).data[0]

describe('a link that is opened [P25]', () => {
  it('shows the patient then, in this browser and no other, and counts one use until the visit ends', async () => {
    const token = await share({ maxUses: 1 })
    const [stranger, other] = [new Stranger(server), new Stranger(server, '10.1.0.2')]
    expect((await other.look(token)).raw.body).not.toMatch(/Hidden|1\.81/)
    const opened = await stranger.visit(token)
    expect(opened.data.studies).toMatchObject([
      {
        patientName: 'Hidden, Name',
        description: 'Study 1',
        series: [{ seriesUID: first, modality: 'CT', images: 2 }],
      },
    ])
    expect(opened.data.studies[0]?.series).toHaveLength(1)
    // Once more, as after loading the page again: the same visit.
    expect((await stranger.visit(token)).status).toBe(200)
    expect((await stranger.look(token)).data.opened).toEqual(opened.data)
    expect((await other.look(token)).status).toBe(404)
    expect((await other.visit(token)).status).toBe(404)
    expect(await newestLink()).toMatchObject({ uses: 1, visits: [{ email: null, openedDate: expect.any(String) }] })
  })

  it('says by number which studies are of one patient, before it says of whom', async () => {
    await storeStudies(server, admin, '1.85', 'Second^Name')
    // Two people may have one ID.
    await storeStudies(server, admin, '1.87', 'Other^Name', 'ID-Second^Name')
    const token = await share({ alsoSeriesUIDs: [third, '1.85.1.1', '1.87.1.1'] })
    const { raw, data } = await new Stranger(server).look(token)
    const toWhose = ({ description, patient }: (typeof data.studies)[number]) => [description, patient]
    expect(data.studies.map(toWhose)).toEqual([
      ['Study 1', 1],
      ['Study 2', 1],
      ['Study 1', 2],
      ['Study 1', 3],
    ])
    expect(raw.body).not.toMatch(/Hidden|Second|Other|1\.8[157]/)
  })

  it('keeps a cookie that scripts and other sites do not get, for eight hours at most', async () => {
    const token = await share({}, second)
    const reply = await new Stranger(server).visit(token)
    expect(String(reply.headers['set-cookie'])).toMatch(/^dmp-share-[0-9a-f-]{36}=[\w-]{43}; Max-Age=28800; .*HttpOnly/)
    expect(String(reply.headers['set-cookie'])).toContain('SameSite=Strict')
    expect(server.logs.join('')).not.toMatch(/Hidden|dmp-share-[0-9a-f-]{36}=/)
  })

  it('ends with its link where that is sooner', async () => {
    const token = await share()
    const { id } = (await newestLink())!
    const ends = new Date(Date.now() + 3_600_000)
    await server.deps.db.updateTable('scan_shares').set({ expire_date: ends }).where('id', '=', id).execute()
    const { headers } = await new Stranger(server).visit(token)
    const [, seconds] = /Max-Age=(\d+)/.exec(String(headers['set-cookie'])) ?? []
    expect(Number(seconds)).toBeLessThanOrEqual(3600)
    expect(Number(seconds)).toBeGreaterThan(3000)
  })

  it('ends with the hours of the visit, and is opened again with a further use', async () => {
    const token = await share({ maxUses: 2 })
    const stranger = new Stranger(server)
    await stranger.visit(token)
    await server.deps.db.updateTable('scan_share_visits').set({ expires_date: new Date() }).execute()
    expect((await stranger.look(token)).data.opened).toBeNull()
    expect((await stranger.visit(token)).status).toBe(200)
    expect((await newestLink())?.visits).toHaveLength(2)
  })

  it('can be ended by its sender when it is used up, and counts as open until then or the end of the visit', async () => {
    const lent = '1.89.2.1'
    await storeStudies(server, admin, '1.89', 'Lent^Once')
    const countOpen = async () => {
      const { open, endSoon } = (await admin.call(scan.countShares, {})).data
      return [open, endSoon]
    }
    const listed = async () =>
      (await admin.call(scan.listStudies, { isShared: 'true' })).data.map((row) => row.studyUID)
    const [open = 0, endSoon = 0] = await countOpen()
    const token = await share({ maxUses: 1, expireInDay: 7 }, lent)
    expect(await countOpen()).toEqual([open + 1, endSoon])
    expect(await newestLink(lent)).toMatchObject({ openUntilDate: null })
    const stranger = new Stranger(server)
    const { untilDate } = (await stranger.visit(token)).data
    // Within a day nobody can look any more, though the link was for seven.
    expect(await countOpen()).toEqual([open + 1, endSoon + 1])
    expect(await listed()).toContain('1.89.2')
    const link = (await newestLink(lent))!
    expect(link).toMatchObject({ maxUses: 1, uses: 1, revokedDate: null, openUntilDate: untilDate })

    expect((await admin.call(scan.revokeShare, { id: link.id })).status).toBe(200)
    expect((await stranger.look(token)).status).toBe(404)
    expect((await stranger.get(`/dicom-web/shared/${link.id}/studies/1.89.2/series/${lent}/metadata`)).statusCode).toBe(
      404,
    )
    expect(await countOpen()).toEqual([open, endSoon])

    await new Stranger(server).visit(await share({ maxUses: 1 }, lent))
    expect(await countOpen()).toEqual([open + 1, endSoon + 1])
    const { id } = (await newestLink(lent))!
    const visits = server.deps.db.updateTable('scan_share_visits').where('share_id', '=', id)
    await visits.set({ expires_date: new Date() }).execute()
    expect(await newestLink(lent)).toMatchObject({ openUntilDate: null })
    expect(await countOpen()).toEqual([open, endSoon])
    expect(await listed()).not.toContain('1.89.2')
  })

  it('is open for the quarter of an hour in which its last opening may be downloaded', async () => {
    const token = await share({ maxUses: 1 }, fourth)
    expect((await new Stranger(server).download(token)).status).toBe(200)
    const { openUntilDate } = (await newestLink(fourth))!
    expect(Date.parse(openUntilDate ?? '') - Date.now()).toBeGreaterThan(10 * 60_000)
    await admin.call(scan.revokeShare, { id: (await newestLink(fourth))!.id })
  })

  it('downloads without a further use where the sender allowed it, everything that was shared at once', async () => {
    const token = await share({ maxUses: 1, alsoSeriesUIDs: [second, third] })
    const stranger = new Stranger(server)
    await stranger.visit(token)
    const { data } = await stranger.download(token)
    const zip = unzip((await stranger.get(new URL(data.downloadUrl).pathname)).rawPayload)
    expect([...zip.keys()].filter((name) => name.startsWith('DICOM/'))).toHaveLength(6)
    expect(zip.get('README.TXT')?.toString()).toContain('3 series')
    for (const uid of [first, second, third]) expect(zip.get('DICOMDIR')?.toString('latin1')).toContain(uid)
    expect(zip.get('DICOMDIR')?.toString('latin1')).not.toContain(fourth)
  })

  it('downloads nothing where the sender did not allow it, whoever asks how', async () => {
    const token = await share({ allowsDownload: false })
    const stranger = new Stranger(server)
    expect(await stranger.download(token)).toMatchObject({ status: 409, code: 'NO_DOWNLOAD' })
    await stranger.visit(token)
    expect(await stranger.download(token)).toMatchObject({ status: 409, code: 'NO_DOWNLOAD' })
    expect(await newestLink()).toMatchObject({ uses: 1, allowsDownload: false })
    // A server of the version before, which knows no such rule, takes its token for none.
    expect([token, await share()].map((each) => /^[\w-]{43}$/.test(each))).toEqual([false, true])
  })
})

describe('a sender who may not download [P01]', () => {
  it('makes links that only show, whatever the call asks for', async () => {
    const sys = await server.signIn('sys_admin')
    const input = { organizationId, seriesUID: first, expireInDay: 1, allowsDownload: true }
    const token = tokenOf((await sys.call(scan.share, input)).data.downloadUrl)
    expect((await new Stranger(server).look(token)).data.allowsDownload).toBe(false)
    expect(await new Stranger(server).download(token)).toMatchObject({ status: 409, code: 'NO_DOWNLOAD' })
  })
})

describe('several scans in one link [P25]', () => {
  it('are listed at each of them, and refused when one is unknown or in another organization [P02]', async () => {
    await share({ alsoSeriesUIDs: [second, fourth, first] })
    for (const seriesUID of [first, second, fourth]) expect((await newestLink(seriesUID))?.scans).toBe(3)
    expect((await newestLink(third))?.scans).not.toBe(3 + 1)
    const south = await server.signIn('admin@south.example')
    await storeStudies(server, south, '1.82', 'Foreign^Name')
    for (const alsoSeriesUIDs of [['1.82.1.1'], ['1.2.3.404']])
      expect(
        (await admin.call(scan.share, { organizationId, seriesUID: first, expireInDay: 1, alsoSeriesUIDs })).status,
      ).toBe(404)
  })

  it('are all opened, whichever of them the link was made at', async () => {
    const token = await share({ alsoSeriesUIDs: [third, first] }, second)
    const { data } = await new Stranger(server).visit(token)
    const opened = data.studies.flatMap(({ series }) => series.map(({ seriesUID }) => seriesUID))
    expect(opened.toSorted()).toEqual([first, second, third])
    expect((await newestLink(second))?.scans).toBe(3)
  })

  it('are named before they are shared: every series of their studies, of the own organization only [P02]', async () => {
    const { data } = await admin.call(scan.listShareable, { organizationId, seriesUIDs: [second] })
    expect(data).toMatchObject([{ patientName: 'Hidden, Name', studyUID: '1.81.1' }])
    expect(data[0]?.series.map(({ seriesUID }) => seriesUID)).toEqual([first, second])
    for (const seriesUIDs of [['1.82.1.1'], ['1.2.3.404']])
      expect((await admin.call(scan.listShareable, { organizationId, seriesUIDs })).status).toBe(404)
    const south = await server.signIn('admin@south.example')
    expect((await south.call(scan.listShareable, { organizationId, seriesUIDs: [second] })).status).toBe(404)
  })

  it('go on without one that is deleted, and end with the last', async () => {
    await storeStudies(server, admin, '1.83', 'Gone^Soon')
    const token = await share({ alsoSeriesUIDs: ['1.83.1.2'] }, '1.83.1.1')
    const stranger = new Stranger(server)
    await stranger.visit(token)
    const remove = (seriesUID: string) => admin.call(scan.remove, { organizationId, seriesIdList: [seriesUID] })
    expect((await remove('1.83.1.1')).status).toBe(200)
    expect((await stranger.look(token)).data.opened?.studies[0]?.series).toMatchObject([{ seriesUID: '1.83.1.2' }])
    expect((await remove('1.83.1.2')).status).toBe(200)
    expect((await stranger.look(token)).status).toBe(404)
  })
})

describe('an open page [P25]', () => {
  /** Resolves with the status of a page that waited, once the change was made. */
  const whileWatching = async (
    watch: () => Promise<{ status?: number; statusCode?: number }>,
    change: () => unknown,
  ) => {
    const waits = jest.spyOn(server.deps.newsWaits, 'begin')
    const answer = watch()
    while (waits.mock.results.length === 0) await new Promise((soon) => setTimeout(soon, 5))
    waits.mockRestore()
    await change()
    const changed = Date.now()
    const reply = await answer
    return { status: reply.status ?? reply.statusCode, ms: Date.now() - changed }
  }
  const end = {
    revoked: async () => admin.call(scan.revokeShare, { id: (await newestLink())?.id ?? '' }),
    'used up by somebody else': async (token: string) => new Stranger(server, '10.1.0.9').visit(token),
    'its last scan deleted': () => admin.call(scan.remove, { organizationId, seriesIdList: ['1.84.1.1'] }),
    'its sender deactivated': async () => {
      const root = await server.signIn('super_admin')
      return root.call(businessUser.deactivateUser, { id: admin.userId })
    },
  }

  it.each([
    ['revoked', false],
    ['revoked', true],
    ['used up by somebody else', false],
    ['its last scan deleted', true],
    ['its sender deactivated', true],
  ] as const)('hears at once that the link is %s (opened: %s)', async (reason, isOpened) => {
    await storeStudies(server, admin, '1.84', 'Brief^Life')
    const isDeletion = reason === 'its last scan deleted'
    const token = await share(reason.startsWith('used up') ? { maxUses: 1 } : {}, isDeletion ? '1.84.1.1' : first)
    const stranger = new Stranger(server)
    const id = isOpened ? (await stranger.visit(token)).data.id : ''
    const change = () => end[reason](token)
    const watches = [
      () => stranger.watch(token),
      ...(isOpened ? [() => stranger.get(`/dicom-web/shared/${id}/watch`)] : []),
    ]
    const [page, ...viewer] = watches
    const both = viewer.map((watch) => watch())
    // Without the news it would hear of it when the wait is over.
    const { status, ms } = await whileWatching(page as (typeof watches)[0], change)
    expect([status, ms < 20_000]).toEqual([404, true])
    for (const reply of both) expect(await reply).toMatchObject({ statusCode: 404 })
  })

  it('hears that the link expires, to the second', async () => {
    const south = await server.signIn('admin@south.example')
    const reply = await south.call(scan.share, {
      organizationId: southClinic.id,
      seriesUID: '1.82.1.1',
      expireInDay: 1,
    })
    const token = tokenOf(reply.data.downloadUrl)
    await server.deps.db
      .updateTable('scan_shares')
      .set({ expire_date: new Date(Date.now() + 1500) })
      .where('series_uid', '=', '1.82.1.1')
      .execute()
    const stranger = new Stranger(server)
    const began = Date.now()
    let { status } = await stranger.watch(token)
    // Other news, such as that the link was made, may come first; then a page asks again.
    while (status === 200) ({ status } = await stranger.watch(token))
    expect([status, Date.now() - began < 20_000]).toEqual([404, true])
  })
  it('hears at once that the organization of the link was deactivated', async () => {
    const [south, root] = [await server.signIn('admin@south.example'), await server.signIn('super_admin')]
    await storeStudies(server, south, '1.88', 'Last^Day')
    const input = { organizationId: southClinic.id, seriesUID: '1.88.1.1', expireInDay: 1 }
    const token = tokenOf((await south.call(scan.share, input)).data.downloadUrl)
    const stranger = new Stranger(server)
    const { status, ms } = await whileWatching(
      () => stranger.watch(token),
      () => root.call(organization.deactivate, { id: southClinic.id }),
    )
    expect([status, ms < 20_000]).toEqual([404, true])
  })
})
