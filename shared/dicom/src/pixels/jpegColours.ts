const startOfScan = 0xda
const app0 = 0xe0
const app14 = 0xee
/** DHT, JPG and DAC lie among the numbers of the frame headers. */
const isFrameHeader = (code: number): boolean => code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code)

/** Says that the components are colours as they are (ISO 10918-6): `Adobe`, version 100, no transform. */
const adobeSegment = [0xff, app14, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, 0]

/**
 * A JPEG whose header of the object says RGB, with the same said in the JPEG. Decoders believe the JPEG alone, and take
 * three components without a word for luminance and colour differences.
 */
export const withStatedColours = (frame: Uint8Array, photometric: string): Uint8Array => {
  if (photometric !== 'RGB' || !isSilentAboutColours(frame)) return frame
  const stated = new Uint8Array(frame.length + adobeSegment.length)
  stated.set(frame.subarray(0, 2))
  stated.set(adobeSegment, 2)
  stated.set(frame.subarray(2), 2 + adobeSegment.length)
  return stated
}

/**
 * Whether neither JFIF nor Adobe says what the components are, nor their numbers (1, 2 and 3 are those of JFIF), nor
 * that one of them is coarser than another, which colours never are.
 */
function isSilentAboutColours(frame: Uint8Array): boolean {
  for (let at = 2; at + 4 <= frame.length && frame[at] === 0xff;) {
    const code = frame[at + 1] ?? 0
    const length = ((frame[at + 2] ?? 0) << 8) | (frame[at + 3] ?? 0)
    if (code === startOfScan || code === app0 || code === app14) return false
    if (isFrameHeader(code)) {
      const components = frame.subarray(at + 10, at + 2 + length)
      if (frame[at + 9] !== 3 || components.length < 9) return false
      const [first, second, third] = [0, 3, 6].map((start) => components.subarray(start, start + 3))
      const isJfif = first?.[0] === 1 && second?.[0] === 2 && third?.[0] === 3
      return !isJfif && first?.[1] === second?.[1] && second?.[1] === third?.[1]
    }
    at += 2 + length
  }
  return false
}
