import { scan } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { dicomFile, slice, text, u16 } from '../../dicom/testing/dicomFile.ts'
import { PictureRenderer } from '../../dicom/pictureRenderer.ts'
import { startServerWithDoors, type Door } from '../../testing/doors.ts'
import type { SignedIn, TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'
import { Stranger, storeStudies, tokenOf } from '../scan/sharing/shareInTests.ts'
import { json, value } from './dicomwebInTests.ts'

/** What a visitor of a share link reaches of DICOMweb: generated over every route that there is. */
let server: TestServer
let doors: readonly Door[]
let admin: SignedIn
let stranger: Stranger
let root: string

const shared = { study: '1.87.1', series: '1.87.1.1', instance: '1.87.1.1.1' }
/** Not shared: of the same study, patient and organization, of another organization, and of nobody. */
const others = {
  'another series of the study': { study: '1.87.1', series: '1.87.1.2', instance: '1.87.1.2.1' },
  'an instance of another series': { ...shared, instance: '1.87.1.2.1' },
  'a series under another study': { ...shared, study: '1.87.2' },
  'another study of the patient': { study: '1.87.2', series: '1.87.2.1', instance: '1.87.2.1.1' },
  'another organization': { study: '1.88.1', series: '1.88.1.1', instance: '1.88.1.1.1' },
}
const nowhere = { study: '1.404', series: '1.404.1', instance: '1.404.1.1' }
const foreignText = /1\.87\.1\.2|1\.87\.2|1\.88|Foreign/

const objectOf = ({ study, series, instance, patient }: typeof shared & { readonly patient: string }): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', instance),
      '0020000D': text('UI', study),
      '0020000E': text('UI', series),
      '00100010': text('PN', patient),
    }),
  })
const share = async (more: object = {}, seriesUID = shared.series) =>
  tokenOf(
    (await admin.call(scan.share, { organizationId: northClinic.id, seriesUID, expireInDay: 1, ...more })).data
      .downloadUrl,
  )
const visit = async (token: string, who: Stranger) => `/dicom-web/shared/${(await who.visit(token)).data.id}`

beforeAll(async () => {
  ;({ server, doors } = await startServerWithDoors())
  admin = await server.signIn('admin')
  await storeStudies(server, admin, '1.87', 'Shown^Patient')
  const south = await server.signIn('admin@south.example')
  await storeStudies(server, south, '1.88', 'Foreign^Name')
  // It has the series that is shared in a study that is not.
  const elsewhere = { study: '1.87.2', series: shared.series, instance: shared.instance, patient: 'Foreign^Name' }
  expect((await stow(server, south, [objectOf(elsewhere)])).statusCode).toBe(200)
  stranger = new Stranger(server)
  root = await visit(await share(), stranger)
})
afterAll(() => server.close())

type Uids = typeof shared
const reading = () =>
  doors.filter(({ method, url }) => method === 'GET' && url.startsWith('/dicom-web/') && url !== '/dicom-web/*')
const below = () => reading().filter(({ url }) => url.includes(':share') && !url.endsWith('/watch'))
const toPath = ({ url }: Door, uids: Uids, share = root) =>
  url
    .replace('/dicom-web/shared/:share', share)
    .replace(/:(study|series|instance)/g, (_, name: keyof Uids) => uids[name])
    .replace(':frames', '1')
    .replace('*', '7FE00010')
const ask = async (who: Stranger, path: string) => {
  const reply = await who.get(path)
  return { status: reply.statusCode, text: reply.body.replace(/"requestId":"[^"]*"/, ''), headers: reply.headers }
}
/** Whether the address names a thing that is in one and not in the other. */
const differs = ({ url }: Door, uids: Uids) =>
  (Object.keys(uids) as (keyof Uids)[]).some((name) => url.includes(`:${name}`) && uids[name] !== shared[name])

describe('the visitor of a share link', () => {
  it('takes turns beside the people of the organization, however often the link is opened [P18, P25]', async () => {
    const draw = jest.spyOn(PictureRenderer.prototype, 'draw')
    const token = await share()
    const strangers = [new Stranger(server), new Stranger(server)]
    const roots = await Promise.all(strangers.map((each) => visit(token, each)))
    const rendered = `/studies/${shared.study}/series/${shared.series}/instances/${shared.instance}/frames/1/rendered`
    const look = (n: number): Promise<number> =>
      strangers[n]?.get(`${roots[n]}${rendered}?viewport=${50 + n},50`).then(({ statusCode }) => statusCode) ??
      Promise.reject(new Error('nobody'))
    expect([await look(0), await look(1)]).toEqual([200, 200])
    const url = `/dicom-web${rendered}?viewport=60,60`
    const lookInside = async () => (await server.app.inject({ url, headers: admin.headers })).statusCode
    expect(await lookInside()).toBe(200)
    // Thumbnails of what was uploaded just now are drawn meanwhile.
    const owners = draw.mock.calls.map(([{ owner }]) => owner).filter(({ userId }) => userId !== 'after uploads')
    const [one, again, inside] = owners
    expect(again).toEqual(one)
    expect(inside).toEqual({ organizationId: northClinic.id, userId: admin.userId })
    expect(one?.organizationId).not.toBe(northClinic.id)
    draw.mockRestore()
  })

  it('finds every reading route of DICOMweb below the root of the link, and reads what was shared [P25]', async () => {
    const names = (list: readonly Door[]) => list.map(({ url }) => url.replace('/shared/:share', '')).sort()
    expect(names(below())).toEqual(names(reading().filter(({ url }) => !url.includes(':share'))))
    const shown = await Promise.all(
      below().map(async (door) => [door.name, await ask(stranger, toPath(door, shared))] as const),
    )
    expect(shown.filter(([, { status }]) => status !== 200).map(([name]) => name)).toEqual([])
    for (const [name, { text, headers }] of shown) {
      expect([name, foreignText.exec(text)]).toEqual([name, null])
      expect([name, text.includes('/dicom-web/studies')]).toEqual([name, false])
      // A browser keeps nothing that it could show after the end of the link.
      expect([name, headers['cache-control']]).toEqual([name, 'no-store'])
    }
    expect(shown.length).toBeGreaterThan(15)
  })

  it.each(Object.entries(others))('is answered at %s as if it did not exist [P02, P25]', async (_what, uids) => {
    const told: unknown[] = []
    for (const door of below().filter((each) => differs(each, uids))) {
      const [there, gone] = [await ask(stranger, toPath(door, uids)), await ask(stranger, toPath(door, nowhere))]
      if (there.status !== 404 || there.text !== gone.text || gone.status !== 404) told.push([door.name, there, gone])
    }
    expect(told).toEqual([])
  })

  it('gets the picture of a shared series for the study, also where the first one is not shared [P02, P25]', async () => {
    // Of different shapes, so that their pictures differ.
    const images = [8, 16].map((columns, index) =>
      dicomFile({
        elements: slice({
          '00080018': text('UI', `1.87.3.${index + 1}.1`),
          '0020000D': text('UI', '1.87.3'),
          '0020000E': text('UI', `1.87.3.${index + 1}`),
          '00280010': u16(8),
          '00280011': u16(columns),
          '7FE00010': { vr: 'OW', value: Buffer.alloc(16 * columns) },
        }),
      }),
    )
    expect((await stow(server, admin, images)).statusCode).toBe(200)
    const who = new Stranger(server)
    const study = `${await visit(await share({}, '1.87.3.2'), who)}/studies/1.87.3`
    const [ofStudy, ofSeries] = await Promise.all(
      [`${study}/thumbnail`, `${study}/series/1.87.3.2/thumbnail`].map((path) => who.get(path)),
    )
    expect([ofStudy?.statusCode, ofStudy?.rawPayload]).toEqual([200, ofSeries?.rawPayload])
    const inside = await server.app.inject({ url: '/dicom-web/studies/1.87.3/thumbnail', headers: admin.headers })
    expect(inside.rawPayload.equals(ofStudy?.rawPayload ?? Buffer.alloc(0))).toBe(false)
  })

  it('finds nothing else by searching, whatever the query names [P02, P25]', async () => {
    for (const query of [
      'StudyInstanceUID=1.87.2',
      'SeriesInstanceUID=1.87.1.2',
      `0020000D=${shared.study},1.87.2,1.88.1`,
      'ModalitiesInStudy=MR',
      'Modality=MR',
      'organizationId=00000000-0000-4000-8000-000000000001',
      'PatientName=*&fuzzymatching=true',
      'includefield=all&offset=1',
    ])
      for (const path of [
        '/studies',
        '/series',
        '/instances',
        `/studies/${shared.study}/series`,
        `/studies/${shared.study}/instances`,
      ]) {
        const { text, status } = await ask(stranger, `${root}${path}?${query}`)
        // A key of a lower level is refused, not left out.
        expect([200, 400]).toContain(status)
        expect([query, path, foreignText.exec(text)]).toEqual([query, path, null])
      }
    expect(json(await stranger.get(`${root}/studies?ModalitiesInStudy=MR`))).toEqual([])
    expect(json(await stranger.get(`${root}/series?ModalitiesInStudy=MR`))).toEqual([])
    const [study] = json(await stranger.get(`${root}/studies`))
    // Counts, too, are of what was shared.
    expect(['00201206', '00201208', '00080061'].map((tag) => value(study, tag))).toEqual([1, 2, 'CT'])
    expect(study?.['00080061']?.Value).toHaveLength(1)
  })

  it('has a cookie that is worth nothing at any other door of the product [P02, P25]', async () => {
    const told: unknown[] = []
    const nobody = new Stranger(server)
    for (const door of doors.filter(
      ({ url, method }) => !url.includes(':share') && ['GET', 'POST', 'PUT', 'DELETE'].includes(method),
    )) {
      const url = toPath(door, shared).replace(/:\w+/g, 'x')
      const method = door.method as 'GET'
      const statuses = await Promise.all(
        [stranger, nobody].map(async (who) => (await server.app.inject({ method, url, ...who.options })).statusCode),
      )
      if (statuses[0] !== statuses[1] || (door.access.needs !== 'nothing' && statuses[0] !== 401))
        told.push([door.name, statuses])
    }
    expect(told).toEqual([])
  })

  it('does not reach another link by it, and nobody reaches this one without it [P02, P25]', async () => {
    const other = await visit(await share({}, '1.87.2.1'), new Stranger(server))
    const unknown = '/dicom-web/shared/00000000-0000-4000-8000-000000000001'
    const value = stranger.cookie.split('=')[1] ?? ''
    const id = other.split('/').at(-1) ?? ''
    const told: unknown[] = []
    for (const door of [...below(), ...doors.filter(({ url, method }) => url.endsWith('/watch') && method === 'GET')]) {
      const gone = await ask(stranger, toPath(door, shared, unknown))
      for (const [who, path] of [
        [stranger, toPath(door, shared, other)],
        [stranger, toPath(door, { study: '1.87.2', series: '1.87.2.1', instance: '1.87.2.1.1' }, other)],
        [new Stranger(server), toPath(door, shared)],
      ] as const) {
        const answer = await ask(who, path)
        if (answer.status !== 404 || answer.text !== gone.text) told.push([door.name, path, answer])
      }
      // The value of the one cookie under the name of the other.
      const swapped = await stranger.get(toPath(door, shared, other), { cookie: `dmp-share-${id}=${value}` })
      if (swapped.statusCode !== 404) told.push([door.name, 'swapped'])
    }
    expect(told).toEqual([])
  })

  it('looks without whole objects where the sender did not allow to download [P01, P25]', async () => {
    const who = new Stranger(server)
    const view = await visit(await share({ allowsDownload: false }), who)
    const answers = await Promise.all(
      below().map(
        async (door) =>
          [
            door.url.replace('/dicom-web/shared/:share', ''),
            (await ask(who, toPath(door, shared, view))).status,
          ] as const,
      ),
    )
    const study = '/studies/:study'
    const series = `${study}/series/:series`
    expect(answers.filter(([, status]) => status !== 200)).toEqual(
      [study, series, `${series}/instances/:instance`].map((path) => [path, 404]),
    )
  })

  it('loses all of it the moment that the link is revoked, or the visit over [P25]', async () => {
    const who = new Stranger(server)
    const mine = await visit(await share(), who)
    const [link] = (await admin.call(scan.listShares, { organizationId: northClinic.id, seriesUID: shared.series }))
      .data
    expect((await who.get(`${mine}/studies`)).statusCode).toBe(200)
    await admin.call(scan.revokeShare, { id: link?.id ?? '' })
    for (const door of below())
      expect([door.name, (await ask(who, toPath(door, shared, mine))).status]).toEqual([door.name, 404])
    await server.deps.db.updateTable('scan_share_visits').set({ expires_date: new Date() }).execute()
    expect((await stranger.get(`${root}/studies`)).statusCode).toBe(404)
  })

  it('is recorded with the link by which the images were seen [P24]', async () => {
    const rows = await server.deps.db
      .selectFrom('audit')
      .select(['event', 'actor_id', 'subject'])
      .where('organization_id', '=', northClinic.id)
      .where('event', 'in', ['ScanViewed', 'ScansQueried', 'ScanDownloaded'])
      .execute()
    const byLink = rows.filter(({ subject }) => subject.shareId === root.split('/').at(-1))
    expect(new Set(byLink.map(({ event }) => event))).toEqual(new Set(['ScanViewed', 'ScansQueried', 'ScanDownloaded']))
    expect(byLink.every(({ actor_id: actor }) => actor === null)).toBe(true)
    expect(byLink.length).toBeLessThan(60)
  })
})
