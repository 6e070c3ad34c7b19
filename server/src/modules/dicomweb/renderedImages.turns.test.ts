import sharp from 'sharp'
import { DrawingThread } from '../../dicom/drawingThread.ts'
import { drawingLimits, PictureRenderer } from '../../dicom/pictureRenderer.ts'
import {
  datasetBytes,
  dicomFile,
  encapsulated,
  slice,
  text,
  u16,
  type Elements,
} from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

let server: TestServer
let url: string
let staff: SignedIn
let admin: SignedIn
let south: SignedIn

const ids = (study: string): Elements => ({
  '0020000D': text('UI', study),
  '0020000E': text('UI', `${study}.1`),
  '00080018': text('UI', `${study}.1.1`),
})
const side = 2500
/** Dark above, bright below, and large enough to be thinned. */
const large: Elements = {
  '00280010': u16(side),
  '00280011': u16(side),
  '00280100': u16(8),
  '00280101': u16(8),
  '00280102': u16(7),
  '7FE00010': { vr: 'OB', value: Buffer.alloc(side * side).fill(255, (side * side) / 2) },
}
function tooLarge(): Buffer {
  const { '7FE00010': _pixels, ...header } = slice({
    ...ids('1.72'),
    '00280010': u16(8000),
    '00280011': u16(8000),
  })
  return dicomFile({
    transferSyntaxUID: '1.2.840.10008.1.2.4.50',
    sopInstanceUID: '1.72.1.1',
    dataset: Buffer.concat([datasetBytes(header), encapsulated([Buffer.alloc(64, 1)])]),
  })
}

beforeAll(async () => {
  server = await startServer({ DMP_PICTURE_THREADS: '1' })
  url = await server.listen()
  ;[staff, admin, south] = await Promise.all([
    server.signIn('staff'),
    server.signIn('admin'),
    server.signIn('admin@south.example'),
  ])
  const own = [
    dicomFile({ elements: slice(ids('1.70')) }),
    dicomFile({ elements: slice({ ...ids('1.71'), ...large }) }),
  ]
  expect((await stow(server, staff, [...own, tooLarge()])).statusCode).toBe(200)
  expect((await stow(server, south, [dicomFile({ elements: slice(ids('1.75')) })])).statusCode).toBe(200)
  // Drawn now, so that no thumbnail is drawn a while after the upload, in the middle of a test.
  const thumbnails = [await thumbnail('1.70'), await thumbnail('1.71'), await thumbnail('1.75', south)]
  expect(thumbnails.map((reply) => reply.statusCode)).toEqual([200, 200, 200])
})
afterEach(() => jest.restoreAllMocks())
afterAll(() => server.close())

const path = (study: string) => `/dicom-web/studies/${study}/series/${study}.1/instances/${study}.1.1`
const thumbnail = (study: string, who = staff) =>
  server.app.inject({ url: `/dicom-web/studies/${study}/series/${study}.1/thumbnail`, headers: who.headers })
const ask = (who: SignedIn, width: number, study = '1.70') =>
  server.app.inject({ url: `${path(study)}/rendered?viewport=${width},9`, headers: who.headers })
const settled = async (): Promise<void> => {
  for (let turns = 0; turns < 50; turns += 1) await new Promise((next) => setImmediate(next))
}

const until = async (isSo: () => boolean): Promise<void> => {
  for (let turns = 0; !isSo(); turns += 1) {
    // Else it would go on when the test is over.
    if (turns === 50_000) throw new Error('It never came to this.')
    await settled()
  }
  await settled()
}

/** Drawing that waits until it is let go, what was drawn in which order, and how many asked for a picture. */
function holdDrawing() {
  const gate = Promise.withResolvers<void>()
  const widths: number[] = []
  const asked = jest.spyOn(PictureRenderer.prototype, 'draw')
  jest.spyOn(DrawingThread.prototype, 'draw').mockImplementation(async (job) => {
    widths.push('width' in job ? job.width : 0)
    await gate.promise
    return Buffer.from('picture')
  })
  return {
    widths,
    release: gate.resolve,
    /** Waits until one is drawn: its organization may have to rest before, after large ones. */
    begun: () => until(() => widths.length > 0),
    /** Waits until so many have asked for one by an address; each had to look into the database before. */
    asked: (count: number) =>
      until(() => asked.mock.calls.filter(([{ key }]) => key.includes('mediaType')).length >= count),
    /** Waits until one of them left. */
    left: () => until(() => asked.mock.calls.some(([{ signal }]) => signal?.aborted)),
  }
}

describe('pictures that are drawn in turns', () => {
  it('go to another organization and another person before the rest of those of one [P18]', async () => {
    const held = holdDrawing()
    const requests = []
    for (const [who, width, study] of [
      [staff, 1, '1.70'],
      [staff, 2, '1.70'],
      [staff, 3, '1.70'],
      [admin, 4, '1.70'],
      [south, 5, '1.75'],
    ] as const) {
      requests.push(ask(who, width, study))
      await (requests.length === 1 ? held.begun() : held.asked(requests.length))
    }
    held.release()
    const replies = await Promise.all(requests)
    expect(replies.map((reply) => reply.statusCode)).toEqual([200, 200, 200, 200, 200])
    expect(held.widths).toEqual([1, 2, 5, 4, 3])
  })

  it('are drawn once for all who want the same one at the same time [P18]', async () => {
    const held = holdDrawing()
    const first = ask(staff, 11)
    await held.begun()
    const same = [ask(staff, 11), ask(admin, 11), ask(staff, 12), ask(admin, 12)]
    await held.asked(5)
    held.release()
    const replies = await Promise.all([first, ...same])
    expect(replies.map((reply) => reply.statusCode)).toEqual([200, 200, 200, 200, 200])
    expect(held.widths).toEqual([11, 12])
  })

  it('are not drawn for a reader who left, nor is their frame read before their turn [P18]', async () => {
    const held = holdDrawing()
    const first = ask(staff, 21)
    await held.begun()
    const opened = jest.spyOn(server.deps.objects, 'open')
    const leaving = new AbortController()
    const left = fetch(`${url}${path('1.70')}/rendered?viewport=22,9`, {
      headers: staff.headers,
      signal: leaving.signal,
    }).catch((cause: Error) => cause.name)
    const stays = ask(staff, 23)
    await held.asked(3)
    expect(opened).not.toHaveBeenCalled()
    leaving.abort()
    expect(await left).toBe('AbortError')
    await held.left()
    held.release()
    expect((await Promise.all([first, stays])).map((reply) => reply.statusCode)).toEqual([200, 200])
    expect([held.widths, opened.mock.calls.length]).toEqual([[21, 23], 1])
  })

  it('wait up to a number for each person; one more is refused with a sentence and a time [P18, P19]', async () => {
    const held = holdDrawing()
    const first = ask(staff, 31)
    await held.begun()
    const many = Array.from({ length: drawingLimits.waiting.perPerson }, (_, n) => ask(staff, 100 + n))
    await held.asked(1 + many.length)
    const refused = await ask(staff, 500)
    expect([refused.statusCode, refused.headers['retry-after'], refused.json<{ message: string }>().message]).toEqual([
      503,
      '5',
      'You asked for too many images at once. Please try again in a few seconds.',
    ])
    const colleague = ask(admin, 501)
    await held.asked(3 + many.length)
    held.release()
    expect(new Set((await Promise.all([first, ...many, colleague])).map((reply) => reply.statusCode))).toEqual(
      new Set([200]),
    )
  })
})

describe('a large image', () => {
  it('is thinned while it is read, and drawn as it is [P18]', async () => {
    const jobs: number[] = []
    const draw = DrawingThread.prototype.draw
    jest.spyOn(DrawingThread.prototype, 'draw').mockImplementation(function (this: DrawingThread, job) {
      jobs.push(job.frame.byteLength)
      return draw.call(this, job)
    })
    const reply = await server.app.inject({ url: `${path('1.71')}/rendered?viewport=100,100`, headers: staff.headers })
    expect(jobs).toEqual([(side / 2) ** 2])
    const { data, info } = await sharp(reply.rawPayload).greyscale().raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height, data[20 * 100 + 50], data[80 * 100 + 50]]).toEqual([100, 100, 0, 255])
  })

  it('that would have to be decoded whole is refused with a sentence, and its thumbnail is not there [P18]', async () => {
    const reply = await ask(staff, 100, '1.72')
    expect([reply.statusCode, reply.json<{ code: string; message: string }>()]).toEqual([
      413,
      expect.objectContaining({ code: 'TOO_LARGE', message: expect.stringContaining('more than 32 megapixels') }),
    ])
    expect((await thumbnail('1.72')).statusCode).toBe(404)
  })
})

it('a thumbnail that is stored is not drawn again [P18]', async () => {
  const first = await thumbnail('1.70')
  const draw = jest.spyOn(DrawingThread.prototype, 'draw')
  const again = await thumbnail('1.70')
  expect([first.statusCode, again.statusCode, again.rawPayload.equals(first.rawPayload)]).toEqual([200, 200, true])
  expect(draw).not.toHaveBeenCalled()
})

it('a thumbnail of an earlier version, which garbled some colours, is drawn again, once [7.42]', async () => {
  const current = await thumbnail('1.70')
  const image = await sharp(current.rawPayload).jpeg({ chromaSubsampling: '4:2:0' }).toBuffer()
  await server.deps.db.updateTable('thumbnails').set({ image }).where('series_uid', '=', '1.70.1').execute()
  const draw = jest.spyOn(DrawingThread.prototype, 'draw')
  expect((await thumbnail('1.70')).rawPayload.equals(current.rawPayload)).toBe(true)
  expect((await thumbnail('1.70')).rawPayload.equals(current.rawPayload)).toBe(true)
  expect(draw).toHaveBeenCalledTimes(1)
})
