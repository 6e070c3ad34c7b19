import type { GreyWindow } from './presets.ts'

const samples = 20_000
// Share of the pixels at either end that may be cut off: single bright metal or noise pixels do not rule the picture.
const cutOff = 0.005

/** A window for pictures that come without one: nearly all of the values that occur, padding left out. */
export function autoWindow(pixels: ArrayLike<number>, padding: number | undefined): GreyWindow {
  const step = Math.max(1, Math.floor(pixels.length / samples))
  const values: number[] = []
  for (let at = 0; at < pixels.length; at += step) {
    const value = pixels[at]!
    if (value !== padding && Number.isFinite(value)) values.push(value)
  }
  values.sort((a, b) => a - b)
  const low = values[Math.floor(values.length * cutOff)] ?? 0
  const high = values[Math.ceil(values.length * (1 - cutOff)) - 1] ?? 0
  const distance = high - low
  // Integers from low to high need a width of one more than their distance; an even picture still needs some width.
  const width = Number.isInteger(distance) ? distance + 1 : distance
  return { width, center: low + width / 2 }
}
