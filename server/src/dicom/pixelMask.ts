/** Rectangles that are blackened in every frame (docs/decisions/0061-burned-in-text.md). */
export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** How the pixels of an object lie, and what is written over those of the rectangles. */
export interface PixelMask {
  readonly rectangles: readonly Rectangle[]
  readonly rows: number
  readonly frames: number
  /** Pixels side by side that share their colours: two in 4:2:2, otherwise one. */
  readonly pixelsPerUnit: number
  readonly unitsPerRow: number
  readonly unitBits: number
  /** For each plane of colours the bytes of a black unit; where units are not whole bytes, the value of each bit. */
  readonly black: readonly (readonly number[])[]
}

interface Span {
  readonly start: number
  readonly end: number
}

/** The units of a row that a rectangle covers: a unit that it touches is covered whole. */
function toUnits({ pixelsPerUnit, unitsPerRow }: PixelMask, { x, width }: Rectangle): Span {
  const start = Math.floor(x / pixelsPerUnit)
  return { start, end: Math.min(unitsPerRow, Math.ceil((x + width) / pixelsPerUnit)) }
}

/** Writes over what lies within the rectangles of a stretch of the pixels; `at` is where it begins, in bytes. */
export function maskBytes(mask: PixelMask, bytes: Uint8Array, at: number): void {
  const { rows, frames, unitsPerRow, unitBits, black, rectangles } = mask
  const rowBits = unitsPerRow * unitBits
  const planeBits = rowBits * rows
  const stretch = { start: at * 8, end: (at + bytes.length) * 8 }
  const last = Math.min(frames * black.length, Math.ceil(stretch.end / planeBits))
  for (let plane = Math.floor(stretch.start / planeBits); plane < last; plane += 1) {
    const value = black[plane % black.length] ?? []
    for (const rectangle of rectangles) {
      const units = toUnits(mask, rectangle)
      const bottom = Math.min(rows, rectangle.y + rectangle.height)
      // Only the rows that the stretch reaches.
      const above = Math.floor((stretch.start - plane * planeBits) / rowBits)
      for (let row = Math.max(rectangle.y, above); row < bottom; row += 1) {
        const start = plane * planeBits + row * rowBits
        if (start >= stretch.end) break
        const span = { start: start + units.start * unitBits, end: start + units.end * unitBits }
        if (unitBits % 8 === 0) fillBytes(bytes, at, { start: span.start / 8, end: span.end / 8 }, value)
        else fillBits(bytes, stretch.start, span, value[0] ?? 0)
      }
    }
  }
}

function fillBytes(bytes: Uint8Array, at: number, { start, end }: Span, black: readonly number[]): void {
  const last = Math.min(end, at + bytes.length)
  for (let index = Math.max(start, at); index < last; index += 1)
    bytes[index - at] = black[(index - start) % black.length] ?? 0
}

/** Bits are counted from the lowest of each byte (PS3.5 section 8.1.1). */
function fillBits(bytes: Uint8Array, atBit: number, { start, end }: Span, bit: number): void {
  const last = Math.min(end, atBit + bytes.length * 8)
  for (let index = Math.max(start, atBit) - atBit; index < last - atBit; index += 1) {
    const byte = bytes[index >> 3] ?? 0
    bytes[index >> 3] = bit ? byte | (1 << (index & 7)) : byte & ~(1 << (index & 7))
  }
}
