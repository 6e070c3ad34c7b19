import { limits, organization, scan } from '@dmp/contract'
import { northClinic, provider, southClinic } from '@dmp/contract/examples'
import { createTransport } from 'nodemailer'
import sharp from 'sharp'
import { sendMail } from '../../outside/mail.ts'
import { aLogo, aPicture, asImage, decodeDataURL } from '../../testing/pictures.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { Stranger, storeStudies, tokenOf } from '../scan/sharing/shareInTests.ts'

let server: TestServer
let root: SignedIn
let admin: SignedIn
let staff: SignedIn
beforeAll(async () => {
  server = await startServer()
  root = await server.signIn('super_admin')
  admin = await server.signIn('admin')
  staff = await server.signIn('staff')
  await storeStudies(server, admin, '1.87', 'Logo^Lea')
})
afterAll(() => server.close())

const { id } = northClinic
const setLogo = async (who: SignedIn, imageData: unknown = undefined) =>
  who.call(organization.setLogo, { id, imageData: (imageData ?? (await aLogo())) as never })
const share = async (more: object = {}) => {
  const input = { organizationId: id, seriesUID: '1.87.1.1', expireInDay: 1, ...more }
  return tokenOf((await admin.call(scan.share, input)).data.downloadUrl)
}

describe('the logo of an organization', () => {
  it('is drawn into its box, without what came beside the pixels, and taken away again [P55]', async () => {
    expect((await admin.call(organization.getLogo, { id })).data).toBeNull()
    const photo = await aPicture(900, 300)
      .withExif({ IFD0: { Copyright: 'Secret-Owner' } })
      .jpeg()
      .toBuffer()
    const { status, data } = await setLogo(admin, asImage(photo, 'image/jpeg'))
    expect([status, data?.width, data?.height]).toEqual([200, limits.logoWidthPx, limits.logoHeightPx])
    const bytes = decodeDataURL(data?.dataURL ?? '')
    expect((await sharp(bytes).metadata()).format).toBe('png')
    expect(bytes.includes('Secret-Owner')).toBe(false)
    expect((await root.call(organization.getLogo, { id })).data).toEqual(data)
    expect(await admin.call(organization.removeLogo, { id })).toMatchObject({ status: 200, data: null })
    expect(await admin.call(organization.removeLogo, { id })).toMatchObject({ status: 409, code: 'UNCHANGED' })
  })

  it('stays light, however rich the picture is, and the same when it is put back [P55, P18]', async () => {
    const noise = sharp({
      create: {
        width: 1500,
        height: 1500,
        channels: 3,
        background: '#fff',
        noise: { type: 'gaussian', mean: 128, sigma: 90 },
      },
    })
    const { status, data } = await setLogo(admin, asImage(await noise.jpeg({ quality: 60 }).toBuffer(), 'image/jpeg'))
    expect(status).toBe(200)
    const logo = decodeDataURL(data?.dataURL ?? '')
    expect(logo.length).toBeLessThanOrEqual(limits.logoMaxBytes)
    // As Undo does after it was taken away.
    const again = await setLogo(admin, asImage(logo, 'image/png', 'logo.png'))
    const pixels = (content: Buffer) => sharp(content).ensureAlpha().raw().toBuffer()
    expect((await pixels(decodeDataURL(again.data?.dataURL ?? ''))).equals(await pixels(logo))).toBe(true)
  })

  it('is a picture, of an organization of one’s own, and never the provider’s [P55, P02, 6.09]', async () => {
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    expect(await setLogo(admin, asImage(drawing, 'image/svg+xml'))).toMatchObject({ status: 415, code: 'NOT_AN_IMAGE' })
    const imageData = await aLogo()
    expect((await admin.call(organization.setLogo, { id: southClinic.id, imageData })).status).toBe(404)
    expect((await staff.call(organization.setLogo, { id, imageData })).status).toBe(403)
    expect(await root.call(organization.setLogo, { id: provider.id, imageData })).toMatchObject({
      status: 409,
      code: 'BUILT_IN_ORGANIZATION',
    })
  })
})

describe('what bears the logo', () => {
  it('is the page of a link of that organization, and no call without one [P55, P25]', async () => {
    const { data: logo } = await setLogo(admin)
    const stranger = new Stranger(server)
    expect((await stranger.look(await share())).data.sharedBy).toMatchObject({ organization: 'North-Clinic', logo })
    expect((await server.call(organization.getLogo, { id })).status).toBe(401)
    await admin.call(organization.removeLogo, { id })
    expect((await stranger.look(await share())).data.sharedBy?.logo).toBeNull()
  })

  it('is a mail in its name, as it is when the mail goes out [P55]', async () => {
    const recipient = 'lea@elsewhere.example'
    await setLogo(admin)
    await share({ recipient })
    const { id: mail } = await server.deps.db
      .selectFrom('mails')
      .select('id')
      .where('recipient', '=', recipient)
      .executeTakeFirstOrThrow()
    const sent: Record<string, unknown>[] = []
    const transport = createTransport({ jsonTransport: true })
    transport.use('stream', ({ data }, done) => {
      sent.push({ ...data })
      done()
    })
    const send = async () => {
      const before = sent.length
      // The server's own round of mails may take it first.
      while (sent.length === before) {
        await server.deps.db.updateTable('mails').set({ sent_date: null }).where('id', '=', mail).execute()
        await sendMail(server.deps.db, transport, mail, true)
      }
      return sent.at(-1)
    }
    expect(await send()).toMatchObject({
      html: expect.stringContaining('<img src="cid:logo@mail" alt="North-Clinic" width="240" height="80"'),
      attachments: [{ cid: 'logo@mail', contentType: 'image/png', content: expect.stringMatching(/^iVBORw0KGgo/) }],
    })
    await admin.call(organization.removeLogo, { id })
    expect(await send()).toMatchObject({ html: expect.not.stringMatching(/cid:|<!--/), attachments: [] })
  })
})
