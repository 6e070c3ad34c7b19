import { formatBytes } from './formatBytes.ts'

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 kB'],
  [1_530_000, '1.5 MB'],
  [999_500, '1 MB'],
  [999.6, '1 kB'],
  [99_400, '99.4 kB'],
  [99_500, '100 kB'],
  [999_600, '1 MB'],
  [123_456_789, '123 MB'],
  [2e15, '2,000 TB'],
])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))
