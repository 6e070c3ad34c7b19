import type { HeldPicture, HeldScanDetail, Rectangle } from '@dmp/contract/scan'

/** What is chosen of a held scan: rectangles of each size of picture, and pictures that are left out. */
export type Choice = Pick<HeldScanDetail, 'masks' | 'leftOut'>
export type Size = Pick<HeldPicture, 'rows' | 'columns'>

export const isSameSize = (one: Size, other: Size): boolean => one.rows === other.rows && one.columns === other.columns

export const findRectangles = ({ masks }: Choice, size: Size): readonly Rectangle[] =>
  masks.find((mask) => isSameSize(mask, size))?.rectangles ?? []

/** The same rectangles hide the same text in every picture of a size: devices write it in one place. */
export const withRectangles = (choice: Choice, { rows, columns }: Size, rectangles: readonly Rectangle[]): Choice => ({
  ...choice,
  masks: [
    ...choice.masks.filter((mask) => !isSameSize(mask, { rows, columns })),
    ...(rectangles.length > 0 ? [{ rows, columns, rectangles: [...rectangles] }] : []),
  ],
})

export const withLeftOut = (choice: Choice, instanceUID: string, isLeftOut: boolean): Choice => ({
  ...choice,
  leftOut: [...choice.leftOut.filter((uid) => uid !== instanceUID), ...(isLeftOut ? [instanceUID] : [])],
})

const between = (value: number, least: number, most: number): number =>
  Math.round(Math.min(Math.max(value, least), Math.max(least, most)))

/** The part of it that lies in the picture; at least one pixel. */
export function fitRectangle({ x, y, width, height }: Rectangle, { rows, columns }: Size): Rectangle {
  const left = between(x, 0, columns - 1)
  const top = between(y, 0, rows - 1)
  return { x: left, y: top, width: between(width, 1, columns - left), height: between(height, 1, rows - top) }
}

/** Moved, and not made smaller by the edge. */
export const moveRectangle = (rectangle: Rectangle, right: number, down: number, size: Size): Rectangle => ({
  ...rectangle,
  x: between(rectangle.x + right, 0, size.columns - rectangle.width),
  y: between(rectangle.y + down, 0, size.rows - rectangle.height),
})

export const resizeRectangle = (rectangle: Rectangle, right: number, down: number, size: Size): Rectangle =>
  fitRectangle({ ...rectangle, width: rectangle.width + right, height: rectangle.height + down }, size)

export interface Point {
  readonly x: number
  readonly y: number
}

/** Between two corners; every pixel that the line touches is within. */
export function spanRectangle(one: Point, other: Point, size: Size): Rectangle {
  const [left, top] = [Math.floor(Math.min(one.x, other.x)), Math.floor(Math.min(one.y, other.y))]
  const [right, bottom] = [Math.ceil(Math.max(one.x, other.x)), Math.ceil(Math.max(one.y, other.y))]
  const x = Math.max(0, left)
  const y = Math.max(0, top)
  return fitRectangle({ x, y, width: right - x, height: bottom - y }, size)
}

/** The first one for the keyboard: a band along the top, where most devices write. */
export const createBand = (size: Size): Rectangle =>
  fitRectangle({ x: 0, y: 0, width: size.columns, height: Math.ceil(size.rows / 10) }, size)

/** With one more band, unless one still lies where it was added. */
export function withBand(rectangles: readonly Rectangle[], size: Size): readonly Rectangle[] {
  const band = createBand(size)
  const isThere = rectangles.some(
    ({ x, y, width, height }) => x === band.x && y === band.y && width === band.width && height === band.height,
  )
  return isThere ? rectangles : [...rectangles, band]
}

/** Pictures that would be sent, and those of them in which something is blackened. */
export function listSent(pictures: readonly HeldPicture[], choice: Choice) {
  const sent = pictures.filter(({ instanceUID }) => !choice.leftOut.includes(instanceUID))
  return { sent, masked: sent.filter((picture) => findRectangles(choice, picture).length > 0) }
}
