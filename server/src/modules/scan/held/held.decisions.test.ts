import { scan } from '@dmp/contract'
import { tag } from '@dmp/dicom'
import { datasetBytes, dicomFile, encapsulated, slice, text, u16 } from '../../../dicom/testing/dicomFile.ts'
import { admin, getFinished, server, startWithCanaries } from '../transfer/transferInTests.ts'
import { decide, getHeld, holdBack, listCopies, lookAtAll, toSamples, ultrasound } from './heldInTests.ts'

beforeAll(startWithCanaries)
afterAll(() => server.close())

const ofSize = (seriesUID: string, number: number, rows: number, columns: number): Buffer =>
  ultrasound(seriesUID, number, {
    [tag.Rows]: u16(rows),
    [tag.Columns]: u16(columns),
    [tag.PixelData]: { vr: 'OW', value: Buffer.alloc(rows * columns * 2, 0x11) },
  })

/** An 8 × 8 video: nobody can have it on the screen, nor black out a part of it. */
function video(seriesUID: string, number: number): Buffer {
  const { [tag.PixelData]: _pixels, ...header } = slice({
    [tag.SOPInstanceUID]: text('UI', `${seriesUID}.${number}`),
    [tag.StudyInstanceUID]: text('UI', `${seriesUID}.0`),
    [tag.SeriesInstanceUID]: text('UI', seriesUID),
    [tag.InstanceNumber]: text('IS', String(number)),
    [tag.PatientName]: text('PN', 'Burned^In'),
    [tag.SeriesDescription]: text('LO', 'Abdomen'),
    [tag.Modality]: text('CS', 'US'),
    [tag.Rows]: u16(8),
    [tag.Columns]: u16(8),
  })
  return dicomFile({
    dataset: Buffer.concat([datasetBytes(header), encapsulated([Buffer.alloc(64, 'mp4')])]),
    sopInstanceUID: `${seriesUID}.${number}`,
    transferSyntaxUID: '1.2.840.10008.1.2.4.102',
  })
}

const mask = { rows: 8, columns: 8, rectangles: [{ x: 1, y: 2, width: 3, height: 2 }] }
const noMask = { rows: 8, columns: 8, rectangles: [] }

it('blackens of each size of picture what was drawn for that size [P36]', async () => {
  const sizes = [
    [8, 8],
    [8, 16],
    [16, 8],
    [16, 16],
  ] as const
  const { transferId, holdId } = await holdBack(
    '1.70',
    sizes.map(([rows, columns], at) => ofSize('1.70', at + 1, rows, columns)),
  )
  await lookAtAll(holdId)
  // For the last size nothing was drawn.
  const masks = sizes
    .slice(0, 3)
    .map(([rows, columns], at) => ({ rows, columns, rectangles: [{ x: at, y: 2 * at, width: 3, height: 2 }] }))
  expect((await decide(holdId, { masks })).status).toBe(200)
  const copies = await listCopies((await getFinished(transferId)).scans[0]?.newSeriesUID)
  const blackened: number[][] = []
  for (const [at, copy] of copies.entries()) {
    const samples = await toSamples(copy)
    const columns = sizes[at]?.[1] ?? 0
    blackened.push(
      Array.from({ length: samples.length / 2 }, (_, index) => index).filter(
        (index) => samples.readUInt16LE(index * 2) === 0,
      ),
    )
    if (at === 3) continue
    const expected = [0, 1].flatMap((y) => [0, 1, 2].map((x) => (2 * at + y) * columns + at + x))
    expect(blackened[at]).toEqual(expected)
  }
  expect(blackened[3]).toEqual([])
})

describe('a picture that cannot be shown [P36]', () => {
  it('goes only where it is left out, or somebody says that they looked at it elsewhere', async () => {
    const { transferId, holdId } = await holdBack('1.71', [ultrasound('1.71', 1), video('1.71', 2)])
    const look = await admin.call(scan.getHeldPicture, { id: holdId, instanceUID: '1.71.2', frame: 1 })
    expect(look.data).toMatchObject({ picture: null, problem: expect.stringContaining('Videos cannot be shown') })
    await lookAtAll(holdId)
    expect((await getHeld(holdId)).heldPictures.map(({ canMask }) => canMask)).toEqual([true, false])
    const refusal = await decide(holdId)
    expect([refusal.status, refusal.code, refusal.message]).toEqual([
      409,
      'NOT_SHOWN',
      '1 picture cannot be shown here. Leave them out, or confirm that you looked at them elsewhere.',
    ])
    expect((await decide(holdId, { isSeenElsewhere: true, masks: [noMask] })).status).toBe(200)
    const { newSeriesUID } = (await getFinished(transferId)).scans[0] ?? {}
    expect((await listCopies(newSeriesUID)).length).toBe(2)
  })

  it('keeps nobody from sending the others with rectangles, once it is left out', async () => {
    const { transferId, holdId } = await holdBack('1.72', [ultrasound('1.72', 1), video('1.72', 2)])
    await lookAtAll(holdId)
    const refusal = await decide(holdId, { isSeenElsewhere: true, masks: [mask] })
    expect([refusal.status, refusal.code, refusal.message]).toEqual([
      409,
      'CANNOT_MASK',
      'Nothing can be hidden in picture 2. Leave it out, or remove the rectangles of its size.',
    ])
    const others = { ...mask, rows: 16 }
    expect((await decide(holdId, { leftOut: ['1.72.2'], masks: [mask, others] })).status).toBe(200)
    const { newSeriesUID } = (await getFinished(transferId)).scans[0] ?? {}
    expect((await listCopies(newSeriesUID)).length).toBe(1)
  })

  it('may have rectangles of another size beside it', async () => {
    const { holdId } = await holdBack('1.73', [ofSize('1.73', 1, 16, 8), video('1.73', 2)])
    await lookAtAll(holdId)
    expect((await decide(holdId, { isSeenElsewhere: true, masks: [{ ...mask, rows: 16 }] })).status).toBe(200)
  })
})
