import { complaint } from '@dmp/contract'
import { complaintTypes } from '@dmp/contract/examples'
import { moduleIds } from '@dmp/contract/policy'
import sharp from 'sharp'
import { aPicture, asImage } from '../../testing/pictures.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { addImage, storeImage } from './imageInTests.ts'

let server: TestServer
let staff: SignedIn
beforeAll(async () => {
  server = await startServer()
  staff = await server.signIn('staff')
})
afterAll(() => server.close())

describe('an image of a complaint', () => {
  it.each(['png', 'jpeg', 'webp', 'gif'] as const)(
    'is kept and shown, when it is %s [2.49, 3.10, 5.09, P13]',
    async (kind) => {
      const content = await aPicture(80, 60).toFormat(kind).toBuffer()
      const image = await storeImage(staff, content, `image/${kind}`, `screen.${kind}`)
      expect([image.width, image.height, image.filesize]).toEqual([80, 60, image.bytes.length])
      expect(image.format).toBe(kind === 'gif' ? 'png' : kind)
      expect(image.fileDataURL.startsWith(`data:image/${kind === 'gif' ? 'png' : kind};base64,`)).toBe(true)
    },
  )

  it('is recorded as there or not there, without what it shows [P24]', async () => {
    await storeImage(staff, await aPicture().png().toBuffer(), 'image/png')
    await staff.call(complaint.add, {
      moduleId: moduleIds.Scan,
      typeId: complaintTypes[0]?.id ?? '',
      description: 'No picture.',
      imageData: null,
    })
    const rows = await server.deps.db
      .selectFrom('audit')
      .select('subject')
      .where('event', '=', 'ComplaintAdded')
      .orderBy('position', 'desc')
      .limit(2)
      .execute()
    expect(rows.map(({ subject }) => (subject as { hasImage?: unknown }).hasImage)).toEqual([false, true])
  })

  it('loses its metadata, but keeps standing upright [P13]', async () => {
    const content = await aPicture(80, 60)
      .withExif({
        IFD0: { Copyright: 'canary-owner' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect((await sharp(content).metadata()).orientation).toBe(6)
    const image = await storeImage(staff, content, 'image/jpeg', 'photo.jpg')
    expect([image.width, image.height, image.exif, image.orientation, image.icc, image.xmp]).toEqual([
      60,
      80,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(image.bytes.includes('canary')).toBe(false)
  })

  it('is what its content is, whatever its name and label say [P13]', async () => {
    const image = await storeImage(staff, await aPicture().webp().toBuffer(), 'image/png', 'report.png')
    expect([image.format, image.filename, image.fileDataURL.slice(0, 15)]).toEqual([
      'webp',
      'report.webp',
      'data:image/webp',
    ])
  })

  it('loses what was hidden behind its end [P13]', async () => {
    const image = await storeImage(
      staff,
      Buffer.concat([
        await aPicture().png().toBuffer(),
        Buffer.from('PK\u0003\u0004 canary <script>alert(1)</script>'),
      ]),
      'image/png',
    )
    expect(image.bytes.includes('canary')).toBe(false)
  })

  it.each([
    ['../../etc/passwd.png', 'passwd.png'],
    ['C:\\Users\\me\\scan.JPG', 'scan.png'],
    ['evil\u202Egnp.exe', 'evilgnp.png'],
    ['<img src=x onerror=alert(1)>.png', '<img src=x onerror=alert(1)>.png'],
    ['.png', 'image.png'],
    ['a'.repeat(255), `${'a'.repeat(200)}.png`],
  ])('is called by the last part of its name: %s', async (name, shown) => {
    expect((await storeImage(staff, await aPicture().png().toBuffer(), 'image/png', name)).filename).toBe(shown)
  })

  it('is scaled down to what a screen shows', async () => {
    const image = await storeImage(staff, await aPicture(9000, 300).png().toBuffer(), 'image/png')
    expect([image.width, image.height]).toEqual([4096, 137])
  })

  it('is the first picture of a film', async () => {
    const frames = await Promise.all(
      [20, 200].map((red) =>
        sharp({ create: { width: 40, height: 30, channels: 3, background: { r: red, g: 0, b: 0 } } })
          .png()
          .toBuffer(),
      ),
    )
    for (const kind of ['gif', 'webp'] as const) {
      const film = await sharp(frames, { join: { animated: true } })
        .toFormat(kind)
        .toBuffer()
      expect((await sharp(film).metadata()).pages).toBe(2)
      const image = await storeImage(staff, film, `image/${kind}`, `film.${kind}`)
      expect([kind, image.width, image.height, image.pages ?? 1]).toEqual([kind, 40, 30, 1])
    }
  })

  it('stays below 2 MB when it is written again', async () => {
    const noise = await sharp({
      create: {
        width: 900,
        height: 900,
        channels: 3,
        background: 'black',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .webp({ quality: 60 })
      .toBuffer()
    const image = await storeImage(staff, noise, 'image/webp')
    expect(image.filesize).toBeLessThan(2_097_152)
  })

  it('is worked on for ten seconds at most, whatever it unpacks to', async () => {
    const bound = jest.spyOn(sharp.prototype, 'timeout')
    await storeImage(staff, await aPicture().png().toBuffer(), 'image/png')
    expect(bound.mock.calls).not.toHaveLength(0)
    for (const [given] of bound.mock.calls) expect(given).toEqual({ seconds: 10 })
    bound.mockRestore()
  })

  it('is one that is kept for everybody who sees the complaint, and for nobody else', async () => {
    const { data } = await addImage(staff, asImage(await aPicture().png().toBuffer(), 'image/png'))
    const admin = await server.signIn('admin')
    expect((await admin.call(complaint.get, { id: data.id })).data.imageData).toEqual(data.imageData)
    const south = await server.signIn('admin@south.example')
    expect((await south.call(complaint.get, { id: data.id })).status).toBe(404)
  })
})
