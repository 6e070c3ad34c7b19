import { complaint, scan } from '@dmp/contract'
import { complaintTypes } from '@dmp/contract/examples'
import { moduleIds } from '@dmp/contract/policy'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { addImage } from '../../complaint/imageInTests.ts'
import { aPicture, asImage } from '../../../testing/pictures.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'

const object = (uid: string): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `1.90.${uid}`),
      '0020000D': text('UI', '1.90'),
      '0020000E': text('UI', '1.90.1'),
    }),
  })
const size = object('1.1').length
let server: TestServer
let url: string
let staff: SignedIn
let admin: SignedIn
let northId: string
/** There is room for three objects of this size, to the byte. */
const room = 3 * size

beforeAll(async () => {
  server = await startServer({ DMP_ORGANIZATION_QUOTA_GB: String(room / 2 ** 30) })
  // Those of the demo's complaints.
  await server.deps.db.deleteFrom('complaint_picture_totals').execute()
  url = await server.listen()
  ;[staff, admin] = await Promise.all([server.signIn('staff'), server.signIn('admin')])
  northId = await server.organizationOf(staff)
})
afterAll(() => server.close())

const tus = (path: string, method: string, headers: Record<string, string>, body?: Buffer) =>
  fetch(url + path, {
    method,
    headers: { 'tus-resumable': '1.0.0', accept: 'application/dicom+json', ...staff.headers, ...headers },
    ...(body && { body: new Uint8Array(body) }),
  })
const sentence = 'The storage of this organization is full'

describe('the quota of an organization', () => {
  it('stores the objects of a request that fit, and refuses the others with the reason [P18]', async () => {
    expect((await stow(server, staff, [object('1.1'), object('1.2')])).statusCode).toBe(200)
    const partly = await stow(server, staff, [object('1.3'), object('1.4'), object('1.1')])
    expect([partly.statusCode, partly.body.includes(sentence), partly.body.includes('QUOTA')]).toEqual([
      202,
      true,
      true,
    ])
    // Whichever of the two came through first has the place; there is room for one.
    const held = await server.heldObjects()
    expect(held.slice(0, 2)).toEqual(['1.90.1.1', '1.90.1.2'])
    expect([['1.90.1.3'], ['1.90.1.4']]).toContainEqual(held.slice(2))
    // What is stored already is known, full or not.
    expect((await stow(server, staff, [object('1.2')])).statusCode).toBe(200)
  })

  it('is told before the bytes of a resumable upload are sent in vain [P18]', async () => {
    const reply = await tus('/api/Scan/uploads', 'POST', { 'upload-length': String(size) })
    expect([reply.status, await reply.json()]).toEqual([
      413,
      expect.objectContaining({ code: 'QUOTA', message: expect.stringContaining(sentence) }),
    ])
  })

  it('holds for a transfer into a full organization, which says so [3.14, P18]', async () => {
    const south = await server.signIn('admin@south.example')
    expect((await stow(server, south, [object('5.1'), object('5.2'), object('5.3')])).statusCode).toBe(200)
    const begun = await admin.call(scan.transfer, {
      organizationId: northId,
      scans: [{ studyUID: '1.90', seriesUID: '1.90.1' }],
      dstOrganizationName: 'South-Clinic',
      anonymize: true,
    })
    expect(begun.status).toBe(200)
    for (;;) {
      const transfer = (await admin.call(scan.listTransfers, {})).data.find(({ id }) => id === begun.data.id)
      if (transfer?.finishedDate) {
        expect(transfer.scans[0]).toMatchObject({
          state: 'Failed',
          message: expect.stringContaining('has no more room'),
        })
        break
      }
      await new Promise((again) => setTimeout(again, 20))
    }
  })

  it('holds for an upload that began while there was room, and for many at once [P18]', async () => {
    expect((await admin.call(scan.remove, { organizationId: northId, seriesIdList: ['1.90.1'] })).status).toBe(200)
    const begin = (bytes = size) => tus('/api/Scan/uploads', 'POST', { 'upload-length': String(bytes) })
    // What lies in the bin can be taken back, and takes up its room until then.
    const refused = await begin()
    expect([refused.status, await refused.text()]).toEqual([413, expect.stringContaining('also from the bin')])
    const bin = await admin.call(scan.listBin, { organizationId: northId })
    const ids = (bin.data ?? []).map(({ id }) => id)
    expect((await admin.call(scan.purge, { organizationId: northId, ids })).status).toBe(200)
    expect([(await begin(room + 1)).status, (await begin(room)).status]).toEqual([413, 201])
    const begun = await begin()
    expect(begun.status).toBe(201)
    const many = await Promise.all(['2.1', '2.2', '2.3', '2.4', '2.5'].map((uid) => stow(server, staff, [object(uid)])))
    expect(many.map((reply) => reply.statusCode).sort()).toEqual([200, 200, 200, 409, 409])
    const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    const last = await tus(begun.headers.get('location') ?? '', 'PATCH', headers, object('2.6'))
    expect([last.status, await last.text()]).toEqual([409, expect.stringContaining(sentence)])
    expect((await server.heldObjects()).filter((uid) => uid.startsWith('1.90.2.'))).toHaveLength(3)
  })

  it('counts the pictures of complaints; a complaint without one is always taken [P18]', async () => {
    const picture = asImage(await aPicture().png().toBuffer(), 'image/png')
    const provider = await server.signIn('super_admin')
    const replies = []
    do replies.push(await addImage(provider, picture))
    while (replies.at(-1)?.status === 200 && replies.length < 100)
    const refused = replies.at(-1)
    expect([refused?.status, refused?.code, refused?.fields?.[0]?.path]).toEqual([413, 'QUOTA', 'imageData'])
    const kept = replies.flatMap(({ status, data }) => (status === 200 ? [data.imageData?.filesize ?? 0] : []))
    const sum = kept.reduce((bytes, one) => bytes + one, 0)
    const [one = 0] = kept
    expect([one > 0, sum <= room, sum + one > room]).toEqual([true, true, true])
    const plain = { moduleId: moduleIds.Scan, typeId: complaintTypes[0]?.id ?? '', description: 'No picture.' }
    expect((await provider.call(complaint.add, plain)).status).toBe(200)
  })
})
