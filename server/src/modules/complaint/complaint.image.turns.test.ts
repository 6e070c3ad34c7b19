import { setImmediate as nextTurn } from 'node:timers/promises'
import sharp, { type Sharp } from 'sharp'
import { penaltyPoints } from '../../core/penalties.ts'
import { aPicture, asImage } from '../../testing/pictures.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { addImage } from './imageInTests.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const send = async (email: string, content?: Buffer) =>
  addImage(await server.signIn(email), asImage(content ?? (await aPicture().png().toBuffer()), 'image/png'))

describe('pictures of complaints', () => {
  it('of one person hold nobody else up, and few of them wait [P13, P18]', async () => {
    const picture = await aPicture().png().toBuffer()
    const opened = Promise.withResolvers<void>()
    const drawPicture = sharp.prototype.toBuffer as () => Promise<Buffer>
    const drawing = jest.spyOn(sharp.prototype, 'toBuffer').mockImplementationOnce(async function (this: Sharp) {
      await opened.promise
      return drawPicture.call(this)
    })
    const first = send('admin@south.example', picture)
    while (drawing.mock.calls.length === 0) await nextTurn()
    const others = Array.from({ length: 3 }, () => send('admin@south.example', picture))
    const refused = await Promise.race(others)
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
    expect((await send('staff@north.example', picture)).status).toBe(200)
    opened.resolve()
    const statuses = (await Promise.all([first, ...others])).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 503])
    drawing.mockRestore()
  })

  it('that are drawn in vain cost their sender points; what is no image at all costs nothing [P13, P18]', async () => {
    const charge = jest.spyOn(server.deps.penalties, 'charge')
    const picture = await aPicture(300, 300).png().toBuffer()
    expect((await send('staff@north.example', Buffer.from('no image'))).status).toBe(415)
    expect(charge).not.toHaveBeenCalled()
    expect((await send('staff@north.example', picture.subarray(0, -20))).status).toBe(415)
    expect(charge.mock.calls.map(([, , points]) => points)).toEqual([penaltyPoints.uselessReading])
    charge.mockRestore()
  })

  it('are kept in as many pixels as a large monitor has, and in less than 2 MB [P13]', async () => {
    const noise = await sharp({
      create: {
        width: 4800,
        height: 4800,
        channels: 3,
        background: 'black',
        noise: { type: 'gaussian', mean: 128, sigma: 4 },
      },
    })
      .webp({ quality: 10, effort: 0 })
      .toBuffer()
    const { data } = await send('staff@north.example', noise)
    const kept = Buffer.from(data.imageData?.fileDataURL.split(',')[1] ?? '', 'base64')
    const { width, height } = await sharp(kept).metadata()
    expect([width * height <= 3840 * 2160, width > 2800, kept.length < 2 ** 21]).toEqual([true, true, true])
  })
})
