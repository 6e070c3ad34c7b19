import { readPixelShape } from '@dmp/dicom/pixels'
import { explicitLittleEndianUID } from '@dmp/dicom/transferSyntaxes'
import sharp from 'sharp'
import type { JsonDataset } from './jsonModel.ts'
import { NoPicture, TooManyPictures } from './noPicture.ts'
import { toPictureElements } from './pictureElements.ts'
import { drawingLimits, PictureRenderer } from './pictureRenderer.ts'

const header: JsonDataset = Object.fromEntries(
  Object.entries({
    '00280002': 1,
    '00280004': 'MONOCHROME2',
    '00280010': 4,
    '00280011': 4,
    '00280100': 8,
    '00280101': 8,
    '00280102': 7,
    '00280103': 0,
  }).map(([tag, value]) => [tag, { vr: typeof value === 'string' ? 'CS' : 'US', Value: [value] }]),
)
const room = new PictureRenderer()
let requests = 0
const request = (bytes: Buffer, elements = header, size = { width: 4, height: 4 }) => ({
  key: String((requests += 1)),
  owner: { organizationId: 'north', userId: 'ann' },
  bytes: 1,
  load: async () => ({
    elements: toPictureElements(elements),
    shape: readPixelShape(elements),
    frame: new Uint8Array(bytes).buffer,
    transferSyntaxUID: explicitLittleEndianUID,
    ...size,
  }),
})
const draw = (shade: number) => room.draw(request(Buffer.alloc(16, shade)))
afterAll(() => room.close())

it('a picture that is asked for while the thread of the last one ends is drawn all the same', async () => {
  expect(await sharp(await draw(200)).metadata()).toMatchObject({ format: 'jpeg', width: 4, height: 4 })
  const ended = room.close()
  expect(await sharp(await draw(100)).metadata()).toMatchObject({ format: 'jpeg' })
  await ended
  expect(await draw(100)).toEqual(await draw(100))
})

it('a picture that is being drawn when the server stops is given up', async () => {
  const picture = draw(50).catch((cause: unknown) => cause)
  // The thread is at work from the next turn on.
  await Promise.resolve()
  await room.close()
  expect(await picture).toBeInstanceOf(NoPicture)
})

it('a picture has the window that its header says, if that is one pixel wide or wider', async () => {
  const shades = async (width: number) => {
    const element = (value: number) => ({ vr: 'DS', Value: [value] })
    // One shade a row, so that neighbours do not blur it.
    const large = {
      ...header,
      '00280010': { vr: 'US', Value: [32] },
      '00280011': { vr: 'US', Value: [8] },
      '00281050': element(100),
      '00281051': element(width),
    }
    const rows = Buffer.concat([0, 90, 110, 200].map((shade) => Buffer.alloc(64, shade)))
    const jpeg = await room.draw(request(rows, large, { width: 8, height: 32 }))
    const raw = await sharp(jpeg).greyscale().raw().toBuffer()
    return [0, 1, 2, 3].map((row) => Math.round((raw[row * 64 + 36] ?? 0) / 50))
  }
  expect([await shades(1), await shades(0), await shades(0.5)]).toEqual([
    [0, 0, 5, 5],
    [0, 2, 3, 5],
    [0, 2, 3, 5],
  ])
})

it('as many pictures of one person wait as the limit says, and no more [P18]', async () => {
  const full = new PictureRenderer(1)
  const { perPerson } = drawingLimits.waiting
  const answers = Array.from({ length: perPerson + 2 }, () =>
    full.draw(request(Buffer.alloc(16, 100))).catch((cause: unknown) => cause),
  )
  const pictures = await Promise.all(answers)
  await full.close()
  // One is being drawn, the others wait.
  expect(pictures.map((picture) => picture instanceof TooManyPictures).indexOf(true)).toBe(perPerson + 1)
  expect(pictures.slice(0, perPerson + 1).every((picture) => Buffer.isBuffer(picture))).toBe(true)
})

it('after a large picture the next one of the organization waits as long again, and another organization does not [P18]', async () => {
  const two = new PictureRenderer(2)
  const order: string[] = []
  const ask = (who: string, bytes: number) =>
    two
      .draw({ ...request(Buffer.alloc(16, 100)), owner: { organizationId: who, userId: who }, bytes })
      .then(() => void order.push(who))
  // The rest ends when the test says so; drawings and idle threads have longer times.
  const { setTimeout: startTimer } = globalThis
  let endRest = (): void => undefined
  const timers = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms: number) => {
    if (ms <= drawingLimits.longestRestMs) endRest = act
    return startTimer(act, ms <= drawingLimits.longestRestMs ? 2 ** 30 : ms)
  }) as typeof setTimeout)
  await ask('north', drawingLimits.largeBytes)
  const next = ask('north', 1)
  await ask('south', 1)
  expect(order).toEqual(['north', 'south'])
  endRest()
  await next
  timers.mockRestore()
  await two.close()
})

it('a drawing that takes too long ends with its thread, and the next picture gets a new one [P18]', async () => {
  const hasty = new PictureRenderer(1, 1)
  const side = 2000
  const large = Object.fromEntries(
    Object.entries(header).map(([tag, element]) =>
      ['00280010', '00280011'].includes(tag) ? [tag, { vr: 'US', Value: [side] }] : [tag, element],
    ),
  )
  await expect(hasty.draw(request(Buffer.alloc(side * side, 100), large))).rejects.toThrow('Drawing took too long.')
  await hasty.close()
  expect(await draw(100)).toBeInstanceOf(Buffer)
})
