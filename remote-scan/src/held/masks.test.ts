import { aHeldPicture } from '@dmp/contract/examples'
import {
  createBand,
  findRectangles,
  fitRectangle,
  listSent,
  moveRectangle,
  resizeRectangle,
  spanRectangle,
  withBand,
  withLeftOut,
  withRectangles,
} from './masks.ts'

const size = { rows: 100, columns: 200 }
const rectangle = { x: 10, y: 20, width: 30, height: 40 }
const nothing = { masks: [], leftOut: [] }

describe('rectangles of a picture [P36]', () => {
  it('belong to all pictures of a size', () => {
    const choice = withRectangles(withRectangles(nothing, size, [rectangle]), { rows: 7, columns: 9 }, [rectangle])
    expect(findRectangles(choice, size)).toEqual([rectangle])
    expect(findRectangles(choice, { rows: 200, columns: 100 })).toEqual([])
    expect(findRectangles(choice, { ...size, columns: 201 })).toEqual([])
    expect(findRectangles(choice, { ...size, rows: 101 })).toEqual([])
    expect(withRectangles(choice, size, []).masks.map(({ rows }) => rows)).toEqual([7])
  })

  it('lie within it', () => {
    expect(fitRectangle({ x: -5, y: 90, width: 999, height: 999 }, size)).toEqual({
      x: 0,
      y: 90,
      width: 200,
      height: 10,
    })
    expect(fitRectangle({ x: 500, y: 500, width: 0, height: 0 }, size)).toEqual({ x: 199, y: 99, width: 1, height: 1 })
    expect(moveRectangle(rectangle, 1000, -1000, size)).toEqual({ ...rectangle, x: 170, y: 0 })
    expect(resizeRectangle(rectangle, -1000, 1000, size)).toEqual({ ...rectangle, width: 1, height: 80 })
    expect(createBand(size)).toEqual({ x: 0, y: 0, width: 200, height: 10 })
    expect(withBand(withBand([rectangle], size), size)).toEqual([rectangle, createBand(size)])
    for (const moved of [{ x: 1 }, { y: 1 }, { width: 199 }, { height: 11 }]) {
      const band = { ...createBand(size), ...moved }
      expect(withBand([band], size)).toEqual([band, createBand(size)])
    }
  })

  it('are drawn from any corner, and cover each pixel that the line touches', () => {
    const drawn = { x: 10, y: 20, width: 6, height: 11 }
    expect(spanRectangle({ x: 10.4, y: 20.9 }, { x: 15.1, y: 30.2 }, size)).toEqual(drawn)
    expect(spanRectangle({ x: 15.1, y: 20.9 }, { x: 10.4, y: 30.2 }, size)).toEqual(drawn)
    expect(spanRectangle({ x: -30, y: -30 }, { x: 4, y: 5 }, size)).toEqual({ x: 0, y: 0, width: 4, height: 5 })
  })
})

it('tells pictures that are sent from those that are left out, and masked ones from others', () => {
  const [small, large] = [aHeldPicture(), aHeldPicture({ instanceUID: '2.25.9', rows: 900 })]
  const masked = withRectangles(nothing, small, [rectangle])
  expect(listSent([small, large], masked)).toEqual({ sent: [small, large], masked: [small] })
  const left = withLeftOut(masked, small.instanceUID, true)
  expect(listSent([small, large], left)).toEqual({ sent: [large], masked: [] })
  expect(withLeftOut(left, small.instanceUID, false)).toEqual(masked)
})
