import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { aPicture, asImage } from '../../testing/pictures.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { addImage } from './imageInTests.ts'

let server: TestServer
let staff: SignedIn
beforeAll(async () => {
  server = await startServer()
  staff = await server.signIn('staff')
})
afterAll(() => server.close())

async function getRefusal(imageData: unknown) {
  const { status, code, fields } = await addImage(staff, imageData)
  return [status, code, fields?.[0]?.message]
}

const notAnImage = [415, 'NOT_AN_IMAGE', 'Only image files are allowed.']
const notReadable = [415, 'NOT_AN_IMAGE', 'This image cannot be read. Save it again as PNG or JPEG.']

/** A PNG whose header claims more than its bytes hold. */
function createPng(width: number, height: number, data = deflateSync(Buffer.alloc(1000))): Buffer {
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
      expect(await getRefusal(asImage(Buffer.from(content, 'latin1'), mediaType))).toEqual(notAnImage)
  })

  it.each(['png', 'jpeg', 'webp'] as const)('is refused when only its first bytes are %s [P13]', async (kind) => {
    const content = await aPicture(300, 300).toFormat(kind).toBuffer()
    expect(await getRefusal(asImage(content.subarray(0, Math.floor(content.length / 3)), `image/${kind}`))).toEqual(
      expect.arrayContaining([415, 'NOT_AN_IMAGE']),
    )
    expect(await getRefusal(asImage(content.subarray(0, 12), `image/${kind}`))).toEqual(notAnImage)
  })

  it('is refused when its bytes are not base64 or not labelled as an image [5.09]', async () => {
    const { filename, filesize, fileDataURL } = asImage(await aPicture().png().toBuffer(), 'image/png')
    expect(await getRefusal({ filename, filesize, fileDataURL: fileDataURL.replace(';base64', '') })).toEqual(
      notAnImage,
    )
    expect(await getRefusal({ filename, filesize, fileDataURL: `${fileDataURL.slice(0, -8)}%%%%====` })).toEqual(
      notAnImage,
    )
    expect(
      (await getRefusal({ filename, filesize, fileDataURL: fileDataURL.replace('image/png', 'text/html') }))[0],
    ).toBe(400)
    expect((await getRefusal({ filename, filesize, fileDataURL: 'https://elsewhere.example/a.png' }))[0]).toBe(400)
  })

  it('is refused when there is more or less to it than one picture [5.09, P03]', async () => {
    const image = asImage(await aPicture().png().toBuffer(), 'image/png')
    expect((await addImage(staff, JSON.stringify([image, image]))).status).toBe(400)
    expect((await addImage(staff, { ...image, id: 'x' })).status).toBe(400)
    expect((await addImage(staff, { ...image, filesize: 0 })).status).toBe(400)
    expect((await addImage(staff, 'not json')).status).toBe(400)
    expect((await addImage(staff, '{"filename":"a","filename":"b"}')).status).toBe(400)
  })
})

describe('a flood', () => {
  it('of bytes is refused: a byte more than 2 MB is too much, whatever size is claimed [5.09, 9.02, P13]', async () => {
    const start = await aPicture().png().toBuffer()
    const ofBytes = (count: number) => Buffer.concat([start, Buffer.alloc(count - start.length)])
    const most = ofBytes(2_097_152)
    expect((await addImage(staff, asImage(most, 'image/png'))).status).toBe(200)
    const large = ofBytes(2_097_153)
    expect(await getRefusal({ ...asImage(large, 'image/png'), filesize: 10 })).toEqual([
      413,
      'IMAGE_TOO_LARGE',
      'File size must be less than 2MB.',
    ])
    expect((await getRefusal({ ...asImage(large, 'image/png'), filesize: 2_097_153 }))[2]).toBe(
      'File size must be less than 2MB.',
    )
    expect((await addImage(staff, 'x'.repeat(3_100_000))).status).toBe(400)
    expect((await addImage(staff, 'x'.repeat(3_300_000))).status).toBe(413)
  })

  it('of pixels is refused from its header, before it is unpacked [P13]', async () => {
    const tooMany = [413, 'IMAGE_TOO_LARGE', 'This image has too many pixels. Use at most 25 megapixels.']
    const previousMemory = process.memoryUsage().rss
    for (const [width, height] of [
      [100_000, 100_000],
      [50_001, 1000],
      [2_000_000, 2_000],
    ] as const) {
      const answer = await getRefusal(asImage(createPng(width, height), 'image/png'))
      expect([tooMany, notAnImage]).toContainEqual(answer)
    }
    expect(process.memoryUsage().rss - previousMemory).toBeLessThan(200 * 2 ** 20)
    // 25 megapixels are allowed: the first image is refused because its pixels are missing.
    expect([
      await getRefusal(asImage(createPng(5_000, 5_000), 'image/png')),
      await getRefusal(asImage(createPng(5_000, 5_001), 'image/png')),
    ]).toEqual([notReadable, tooMany])
  })

  it('of pixels that is really there costs bounded memory and time [P13]', async () => {
    const bomb = await sharp({ create: { width: 9_000, height: 8_000, channels: 3, background: 'white' } })
      .png()
      .toBuffer()
    expect(bomb.length).toBeLessThan(2_097_152)
    const start = Date.now()
    expect((await getRefusal(asImage(bomb, 'image/png')))[1]).toBe('IMAGE_TOO_LARGE')
    expect(Date.now() - start).toBeLessThan(10_000)
  })

  it('with a lie about its size is refused when it is read [P13]', async () => {
    expect(await getRefusal(asImage(createPng(4000, 4000), 'image/png'))).toEqual(notReadable)
  })

  it('leaves nothing behind [P13]', async () => {
    const count = async () =>
      (
        await server.deps.db
          .selectFrom('complaints')
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow()
      ).n
    const previousCount = await count()
    await addImage(staff, asImage(Buffer.from('nothing'), 'image/png'))
    await addImage(staff, asImage(createPng(4000, 4000), 'image/png'))
    expect(await count()).toEqual(previousCount)
  })
})
