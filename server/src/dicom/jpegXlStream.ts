import type { StreamShape } from './codeStream.ts'

/** Bits from the lowest of each byte on. */
class BitReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  read(count: number): number {
    let value = 0
    for (let bit = 0; bit < count; bit += 1, this.#at += 1)
      value += (((this.#bytes[this.#at >> 3] ?? 0) >> (this.#at & 7)) & 1) * 2 ** bit
    return value
  }

  /** One of four ways to write a number, each a base and so many bits more. */
  choose(ways: ReadonlyArray<readonly [base: number, bits: number]>): number {
    const [base, bits] = ways[this.read(2)] ?? [0, 0]
    return base + this.read(bits)
  }
}

const sideWays = [9, 13, 18, 30].map((bits) => [1, bits] as const)
/** Columns to rows. */
const ratios = [
  [1, 1],
  [1, 1],
  [12, 10],
  [4, 3],
  [3, 2],
  [16, 9],
  [5, 4],
  [2, 1],
] as const

function readSize(reader: BitReader): { readonly rows: number; readonly columns: number } {
  const isSmall = reader.read(1) === 1
  const readSide = (): number => (isSmall ? (reader.read(5) + 1) * 8 : reader.choose(sideWays))
  const rows = readSide()
  const ratio = reader.read(3)
  const [across, down] = ratios[ratio] ?? [1, 1]
  return { rows, columns: ratio === 0 ? readSide() : Math.floor((rows * across) / down) }
}

function readBits(reader: BitReader): number {
  if (reader.read(1) === 0)
    return reader.choose([
      [8, 0],
      [10, 0],
      [12, 0],
      [1, 6],
    ])
  const bits = reader.choose([
    [32, 0],
    [16, 0],
    [24, 0],
    [1, 6],
  ])
  reader.read(4)
  return bits
}

/**
 * The head of a JPEG XL code stream (ISO 18181-1 annex D). Turned, animated and previewed images are none of medicine,
 * and neither are channels beside the colours, of which there may be thousands: for these it finds no size.
 */
export function readJpegXlShape(bytes: Buffer): StreamShape | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xff0a) return undefined
  const reader = new BitReader(bytes.subarray(2))
  const size = readSize(reader)
  const hasDefaults = reader.read(1) === 1
  if (hasDefaults) return { ...size, bits: 8 }
  if (reader.read(1) === 1) {
    const orientation = reader.read(3)
    const hasIntrinsicSize = reader.read(1) === 1
    if (hasIntrinsicSize) readSize(reader)
    const hasPreview = reader.read(1) === 1
    const isAnimated = reader.read(1) === 1
    if (orientation !== 0 || hasPreview || isAnimated) return undefined
  }
  const bits = readBits(reader)
  reader.read(1)
  const otherChannels = reader.choose([
    [0, 0],
    [1, 0],
    [2, 4],
    [1, 12],
  ])
  return otherChannels === 0 ? { ...size, bits } : undefined
}
