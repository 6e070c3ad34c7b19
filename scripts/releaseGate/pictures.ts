import { loadSharp } from '../workspace/sharp.ts'

/** A screen as findings have it: JPEG in base64, at most `width` pixels wide. */
export const toPicture = async (screen: Uint8Array, width = 1280): Promise<string> =>
  (await loadSharp()(screen).resize({ width, withoutEnlargement: true }).jpeg({ quality: 70 }).toBuffer()).toString(
    'base64',
  )

/** By how much one of three colours may differ, of 255: JPEG blurs edges. */
const sameColour = 40

/** The share of points, 0 to 1, that differ between two pictures; what only one of them has differs. */
export async function comparePictures(before: string, after: string): Promise<number> {
  const [one, other] = await Promise.all(
    [before, after].map((picture) =>
      loadSharp()(Buffer.from(picture, 'base64'))
        .removeAlpha()
        .toColourspace('srgb')
        .raw()
        .toBuffer({ resolveWithObject: true }),
    ),
  )
  if (one === undefined || other === undefined) return 1
  const width = Math.max(one.info.width, other.info.width)
  const height = Math.max(one.info.height, other.info.height)
  let same = 0
  for (let y = 0; y < Math.min(one.info.height, other.info.height); y += 1)
    for (let x = 0; x < Math.min(one.info.width, other.info.width); x += 1) {
      const [a, b] = [3 * (y * one.info.width + x), 3 * (y * other.info.width + x)]
      const isSame = [0, 1, 2].every(
        (colour) => Math.abs((one.data[a + colour] ?? 0) - (other.data[b + colour] ?? 0)) <= sameColour,
      )
      if (isSame) same += 1
    }
  return 1 - same / (width * height)
}
