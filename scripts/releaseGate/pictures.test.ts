import { aPicture } from '../../server/src/testing/pictures.ts'
import { comparePictures, toPicture } from './pictures.ts'

const draw = async (mark?: { width: number; height: number }, width = 1600) => {
  const screen = aPicture(width, width / 2)
  const content = mark && {
    input: { create: { ...mark, channels: 3 as const, background: 'white' } },
    left: 0,
    top: 0,
  }
  return toPicture(await (content ? screen.composite([content]) : screen).png().toBuffer())
}

it('a screen becomes a picture that can be told of: JPEG, no wider than 1280 pixels', async () => {
  const bytes = Buffer.from(await draw(), 'base64')
  expect([bytes.subarray(0, 3).toString('hex'), bytes.length < 30_000]).toEqual(['ffd8ff', true])
})

it('compares by the share of points that look different; what only one of them has differs', async () => {
  const before = await draw()
  expect(await comparePictures(before, await draw())).toBe(0)
  expect(await comparePictures(before, await draw({ width: 800, height: 400 }))).toBeCloseTo(0.25, 2)
  expect(await comparePictures(before, await draw(undefined, 640))).toBeCloseTo(0.75, 2)
})
