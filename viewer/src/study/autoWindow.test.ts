import { autoWindow } from './autoWindow.ts'

describe('a window for a picture without one', () => {
  it('covers the values that occur [7.42]', () => {
    expect(autoWindow([0, 10, 20, 30, 100], undefined)).toEqual({ width: 101, center: 50.5 })
  })

  it('is not ruled by a few bright pixels [7.42]', () => {
    const pixels = Array.from({ length: 10_000 }, (_, at) => (at < 10 ? 30_000 : at % 100))
    expect(autoWindow(pixels, undefined).width).toBeLessThanOrEqual(101)
  })

  it('is as wide as its values lie apart where they are no whole numbers, whatever else is none [7.42]', () => {
    expect(autoWindow([0.5, 1, 2.75, Number.NaN, Infinity, -Infinity], undefined)).toEqual({
      width: 2.25,
      center: 1.625,
    })
  })

  it('leaves out the padding around the picture [7.42]', () => {
    const pixels = Array.from({ length: 1000 }, (_, at) => (at < 500 ? -2000 : at % 50))
    expect(autoWindow(pixels, -2000)).toEqual({ width: 50, center: 25 })
  })

  it('looks at twenty thousand pixels of a large picture, not at all of them [7.42]', () => {
    let looks = 0
    const pixels = new Proxy(new Uint8Array(400_000), {
      get: (of, key) => {
        looks += key === 'length' ? 0 : 1
        return Reflect.get(of, key) as number
      },
    })
    autoWindow(pixels, undefined)
    expect(looks).toBe(20_000)
  })

  it('has some width for an even, an empty and an enormous picture [7.42]', () => {
    expect(autoWindow([7, 7, 7], undefined).width).toBe(1)
    expect(autoWindow([], undefined).width).toBe(1)
    expect(autoWindow(new Uint16Array(4_000_000).fill(9), undefined)).toEqual({ width: 1, center: 9.5 })
  })
})
