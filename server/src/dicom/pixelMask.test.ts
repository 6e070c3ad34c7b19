import { maskBytes, type PixelMask } from './pixelMask.ts'

const mask = (over: Partial<PixelMask> = {}): PixelMask => ({
  rectangles: [{ x: 1, y: 1, width: 2, height: 2 }],
  rows: 4,
  frames: 2,
  pixelsPerUnit: 1,
  unitsPerRow: 5,
  unitBits: 8,
  black: [[9]],
  ...over,
})
const masked = (pixels: PixelMask, length: number, pieceBytes = length): Uint8Array => {
  const bytes = new Uint8Array(length).fill(0xaa)
  for (let at = 0; at < length; at += pieceBytes) maskBytes(pixels, bytes.subarray(at, at + pieceBytes), at)
  return bytes
}
const rows = (bytes: Uint8Array, rowBytes: number): string[] =>
  (Buffer.from(bytes)
    .toString('hex')
    .match(new RegExp(`.{${rowBytes * 2}}`, 'g')) ?? []) as string[]

describe('a mask [P36]', () => {
  it('blackens its rectangles in every frame, and nothing else', () => {
    const frame = ['aaaaaaaaaa', 'aa0909aaaa', 'aa0909aaaa', 'aaaaaaaaaa']
    expect(rows(masked(mask(), 40), 5)).toEqual([...frame, ...frame])
  })

  it('ends where the picture does, and leaves bytes behind the last frame alone', () => {
    const pixels = mask({ rectangles: [{ x: 3, y: 3, width: 100, height: 100 }], frames: 1 })
    expect(rows(masked(pixels, 25), 5)).toEqual(['aaaaaaaaaa', 'aaaaaaaaaa', 'aaaaaaaaaa', 'aaaaaa0909', 'aaaaaaaaaa'])
  })

  it('writes samples of several bytes and colours', () => {
    const pixels = mask({ unitBits: 16, black: [[0x00, 0x80]], frames: 1 })
    expect(rows(masked(pixels, 40), 10)[1]).toBe('aaaa00800080aaaaaaaa')
    const rgb = mask({ unitBits: 24, black: [[1, 2, 3]], frames: 1 })
    expect(rows(masked(rgb, 60), 15)[2]).toBe('aaaaaa010203010203aaaaaaaaaaaa')
  })

  it('writes each plane of colours', () => {
    const pixels = mask({ black: [[0], [0x80], [0x81]], frames: 1 })
    expect([1, 5, 9].map((row) => rows(masked(pixels, 60), 5)[row])).toEqual(['aa0000aaaa', 'aa8080aaaa', 'aa8181aaaa'])
  })

  it('covers a pair of pixels whole that share their colours', () => {
    const pixels = mask({ pixelsPerUnit: 2, unitsPerRow: 2, unitBits: 32, black: [[0, 0, 0x80, 0x80]], frames: 1 })
    expect(rows(masked(pixels, 32), 8)[1]).toBe('0000808000008080')
    const last = { ...pixels, rectangles: [{ x: 2, y: 1, width: 1, height: 1 }] }
    expect(rows(masked(last, 32), 8)[1]).toBe('aaaaaaaa00008080')
  })

  it('writes single bits, whose frames need not begin at a byte', () => {
    const pixels = mask({ rows: 3, unitsPerRow: 3, unitBits: 1, black: [[0]] })
    const bytes = new Uint8Array(3).fill(0xff)
    maskBytes(pixels, bytes, 0)
    const bits = [...bytes].flatMap((byte) => Array.from({ length: 8 }, (_, bit) => (byte >> bit) & 1)).join('')
    expect(bits.match(/.{3}/g)?.slice(0, 6)).toEqual(['111', '100', '100', '111', '100', '100'])
    expect(masked({ ...pixels, black: [[1]] }, 3)).not.toEqual(new Uint8Array(3).fill(0xaa))
  })

  it.each([8, 16, 24, 1, 12])('does not depend on how the bytes are cut into pieces, with %s bits', (unitBits) => {
    const black = [unitBits % 8 === 0 ? Array.from({ length: unitBits / 8 }, (_, at) => at + 1) : [1]]
    const rectangles = [
      { x: 0, y: 0, width: 2, height: 1 },
      { x: 3, y: 2, width: 2, height: 2 },
    ]
    const pixels = mask({ unitBits, black, rectangles })
    const length = Math.ceil((40 * unitBits) / 8)
    for (const pieceBytes of [1, 3, 7, 16]) expect(masked(pixels, length, pieceBytes)).toEqual(masked(pixels, length))
  })
})
