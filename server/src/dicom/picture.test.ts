import sharp from 'sharp'
import type { JsonDataset } from './jsonModel.ts'
import { NoPicture, PictureRoom } from './picture.ts'
import { EXPLICIT_LITTLE_ENDIAN } from './transferSyntaxes.ts'

const header: JsonDataset = Object.fromEntries(
  Object.entries({ '00280002': 1, '00280004': 'MONOCHROME2', '00280010': 4, '00280011': 4, '00280100': 8, '00280101': 8, '00280102': 7, '00280103': 0 }).map(([tag, value]) => [tag, { vr: typeof value === 'string' ? 'CS' : 'US', Value: [value] }]),
)
const room = new PictureRoom()
const draw = (shade: number) => room.draw(header, EXPLICIT_LITTLE_ENDIAN, Buffer.alloc(16, shade), { width: 4, height: 4 })
afterAll(() => room.close())

it('a picture that is asked for while the thread of the last one ends is drawn all the same', async () => {
  expect(await sharp(await draw(200)).metadata()).toMatchObject({ format: 'jpeg', width: 4, height: 4 })
  const ended = room.close()
  expect(await sharp(await draw(100)).metadata()).toMatchObject({ format: 'jpeg' })
  await ended
  expect(await draw(100)).toEqual(await draw(100))
})

it('a picture that is being drawn when the server stops is given up', async () => {
  const drawn = draw(50).catch((cause: unknown) => cause)
  // The thread is at work from the next turn on.
  await Promise.resolve()
  await room.close()
  expect(await drawn).toBeInstanceOf(NoPicture)
})
