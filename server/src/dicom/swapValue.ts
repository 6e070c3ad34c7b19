/** Numbers of the other byte order. */

/** In place. */
export const swapSamples = (bytes: Buffer, size: 2 | 4 | 8): Buffer =>
  size === 2 ? bytes.swap16() : size === 4 ? bytes.swap32() : bytes.swap64()

/** Bytes of one number, for value representations of numbers. */
export const numberBytesOf: Readonly<Record<string, 2 | 4 | 8>> = {
  US: 2,
  SS: 2,
  AT: 2,
  OW: 2,
  UL: 4,
  SL: 4,
  FL: 4,
  OF: 4,
  OL: 4,
  FD: 8,
  SV: 8,
  UV: 8,
  OD: 8,
  OV: 8,
}

/** The value in the other byte order; what is no whole number of numbers stays as it is. */
export function swapValue(vr: string, value: Buffer): Buffer {
  const size = numberBytesOf[vr]
  if (size === undefined || value.length % size !== 0) return value
  return swapSamples(Buffer.from(value), size)
}
