import { deflateSync } from 'node:zlib'
import { complaint } from '@dmp/contract'
import { complaintTypes } from '@dmp/contract/examples'
import { moduleIds } from '@dmp/contract/policy'
import sharp from 'sharp'
import { aPicture, asImage, bytesOf } from '../../testing/pictures.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

let server: TestServer
let staff: SignedIn
beforeAll(async () => {
  server = await startServer()
  staff = await server.signIn('staff')
})
afterAll(() => server.close())

const add = (imageData: unknown) =>
  staff.call(complaint.add, {
    moduleId: moduleIds.Scan,
    typeId: complaintTypes[0]?.id ?? '',
    description: 'See the picture.',
    imageData: typeof imageData === 'string' ? imageData : JSON.stringify(imageData),
  })

async function kept(content: Buffer, mediaType: string, filename?: string) {
  const { status, data, message } = await add(asImage(content, mediaType, filename))
  if (status !== 200 || !data.imageData) throw new Error(message)
  const bytes = bytesOf(data.imageData.fileDataURL)
  return { ...data.imageData, bytes, ...(await sharp(bytes).metadata()) }
}

async function refused(imageData: unknown) {
  const { status, code, fields } = await add(imageData)
  return [status, code, fields?.[0]?.message]
}

const notAnImage = [415, 'NOT_AN_IMAGE', 'Only image files are allowed.']
const notReadable = [415, 'NOT_AN_IMAGE', 'This image cannot be read. Please save it again as PNG or JPEG.']

describe('an image of a complaint', () => {
  it.each(['png', 'jpeg', 'webp', 'gif'] as const)(
    'is kept and shown, when it is %s [2.49, 3.10, 5.09, P13]',
    async (kind) => {
      const content = await aPicture(80, 60).toFormat(kind).toBuffer()
      const image = await kept(content, `image/${kind}`, `screen.${kind}`)
      expect([image.width, image.height, image.filesize]).toEqual([80, 60, image.bytes.length])
      expect(image.format).toBe(kind === 'gif' ? 'png' : kind)
      expect(image.fileDataURL.startsWith(`data:image/${kind === 'gif' ? 'png' : kind};base64,`)).toBe(true)
    },
  )

  it('is recorded as there or not there, without what it shows [P24]', async () => {
    await kept(await aPicture().png().toBuffer(), 'image/png')
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
    const image = await kept(content, 'image/jpeg', 'photo.jpg')
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
    const image = await kept(await aPicture().webp().toBuffer(), 'image/png', 'report.png')
    expect([image.format, image.filename, image.fileDataURL.slice(0, 15)]).toEqual([
      'webp',
      'report.webp',
      'data:image/webp',
    ])
  })

  it('loses what was hidden behind its end [P13]', async () => {
    const image = await kept(
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
    expect((await kept(await aPicture().png().toBuffer(), 'image/png', name)).filename).toBe(shown)
  })

  it('is scaled down to what a screen shows', async () => {
    const image = await kept(await aPicture(9000, 300).png().toBuffer(), 'image/png')
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
      const image = await kept(film, `image/${kind}`, `film.${kind}`)
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
    const image = await kept(noise, 'image/webp')
    expect(image.filesize).toBeLessThan(2_097_152)
  })

  it('is worked on for ten seconds at most, whatever it unpacks to', async () => {
    const bound = jest.spyOn(sharp.prototype, 'timeout')
    await kept(await aPicture().png().toBuffer(), 'image/png')
    expect(bound.mock.calls).not.toHaveLength(0)
    for (const [given] of bound.mock.calls) expect(given).toEqual({ seconds: 10 })
    bound.mockRestore()
  })

  it('is one that is kept for everybody who sees the complaint, and for nobody else', async () => {
    const { data } = await add(asImage(await aPicture().png().toBuffer(), 'image/png'))
    const admin = await server.signIn('admin')
    expect((await admin.call(complaint.get, { id: data.id })).data.imageData).toEqual(data.imageData)
    const south = await server.signIn('admin@south.example')
    expect((await south.call(complaint.get, { id: data.id })).status).toBe(404)
  })
})

/** A PNG whose header claims more than its bytes hold. */
function pngOf(width: number, height: number, data = deflateSync(Buffer.alloc(1000))): Buffer {
  const chunk = (type: string, body: Buffer) => {
    const head = Buffer.concat([Buffer.from(type), body])
    const size = Buffer.alloc(4)
    size.writeUInt32BE(body.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(head))
    return Buffer.concat([size, head, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function crc32(bytes: Buffer): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}

describe('what is no image', () => {
  it.each([
    ['text', 'hello'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a drawing with a script', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['a document', '%PDF-1.7\n'],
    ['a program', 'MZ\u0090\u0000'],
    ['an archive', 'PK\u0003\u0004'],
    ['a bitmap of Windows', 'BM\u0000\u0000'],
    ['a TIFF', 'II*\u0000'],
  ])('is refused, whatever it says it is: %s [5.09, P13]', async (_what, content) => {
    for (const mediaType of ['image/png', 'image/svg+xml'])
      expect(await refused(asImage(Buffer.from(content, 'latin1'), mediaType))).toEqual(notAnImage)
  })

  it.each(['png', 'jpeg', 'webp'] as const)('is refused when only its first bytes are %s [P13]', async (kind) => {
    const content = await aPicture(300, 300).toFormat(kind).toBuffer()
    expect(await refused(asImage(content.subarray(0, Math.floor(content.length / 3)), `image/${kind}`))).toEqual(
      expect.arrayContaining([415, 'NOT_AN_IMAGE']),
    )
    expect(await refused(asImage(content.subarray(0, 12), `image/${kind}`))).toEqual(notAnImage)
  })

  it('is refused when its bytes are not base64 or not labelled as an image [5.09]', async () => {
    const { filename, filesize, fileDataURL } = asImage(await aPicture().png().toBuffer(), 'image/png')
    expect(await refused({ filename, filesize, fileDataURL: fileDataURL.replace(';base64', '') })).toEqual(notAnImage)
    expect(await refused({ filename, filesize, fileDataURL: `${fileDataURL.slice(0, -8)}%%%%====` })).toEqual(
      notAnImage,
    )
    expect((await refused({ filename, filesize, fileDataURL: fileDataURL.replace('image/png', 'text/html') }))[0]).toBe(
      400,
    )
    expect((await refused({ filename, filesize, fileDataURL: 'https://elsewhere.example/a.png' }))[0]).toBe(400)
  })

  it('is refused when there is more or less to it than one picture [5.09, P03]', async () => {
    const image = asImage(await aPicture().png().toBuffer(), 'image/png')
    expect((await add(JSON.stringify([image, image]))).status).toBe(400)
    expect((await add({ ...image, id: 'x' })).status).toBe(400)
    expect((await add({ ...image, filesize: 0 })).status).toBe(400)
    expect((await add('not json')).status).toBe(400)
    expect((await add('{"filename":"a","filename":"b"}')).status).toBe(400)
  })
})

describe('a flood', () => {
  it('of bytes is refused: 2 MB is too much, whatever size is claimed [5.09, 9.02, P13]', async () => {
    const large = Buffer.concat([await aPicture().png().toBuffer(), Buffer.alloc(2_097_152)]).subarray(0, 2_097_152)
    expect(await refused({ ...asImage(large, 'image/png'), filesize: 10 })).toEqual([
      413,
      'IMAGE_TOO_LARGE',
      'File size must be less than 2MB.',
    ])
    expect((await refused({ ...asImage(large, 'image/png'), filesize: 2_097_153 }))[2]).toBe(
      'File size must be less than 2MB.',
    )
    expect((await add('x'.repeat(3_100_000))).status).toBe(400)
    expect((await add('x'.repeat(3_300_000))).status).toBe(413)
  })

  it('of pixels is refused from its header, before it is unpacked [P13]', async () => {
    const tooMany = [413, 'IMAGE_TOO_LARGE', 'This image has too many pixels. Please use at most 50 megapixels.']
    const before = process.memoryUsage().rss
    for (const [width, height] of [
      [100_000, 100_000],
      [50_001, 1000],
      [2_000_000, 2_000],
    ] as const) {
      const answer = await refused(asImage(pngOf(width, height), 'image/png'))
      expect([tooMany, notAnImage]).toContainEqual(answer)
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20)
    // Fifty megapixels are allowed, so that this one is only refused because they are not there.
    expect([
      await refused(asImage(pngOf(10_000, 5_000), 'image/png')),
      await refused(asImage(pngOf(10_000, 5_001), 'image/png')),
    ]).toEqual([notReadable, tooMany])
  })

  it('of pixels that is really there costs bounded memory and time [P13]', async () => {
    const bomb = await sharp({ create: { width: 9_000, height: 8_000, channels: 3, background: 'white' } })
      .png()
      .toBuffer()
    expect(bomb.length).toBeLessThan(2_097_152)
    const since = Date.now()
    expect((await refused(asImage(bomb, 'image/png')))[1]).toBe('IMAGE_TOO_LARGE')
    expect(Date.now() - since).toBeLessThan(2000)
  })

  it('with a lie about its size is refused when it is read [P13]', async () => {
    expect(await refused(asImage(pngOf(4000, 4000), 'image/png'))).toEqual(notReadable)
  })

  it('leaves nothing behind [P13]', async () => {
    const count = async () =>
      (
        await server.deps.db
          .selectFrom('complaints')
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow()
      ).n
    const before = await count()
    await add(asImage(Buffer.from('nothing'), 'image/png'))
    await add(asImage(pngOf(4000, 4000), 'image/png'))
    expect(await count()).toEqual(before)
  })
})
