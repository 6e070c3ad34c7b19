import type { Random } from './Random.ts'

/** Lengths and numbers at which readers have failed before. */
const edges = [
  0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
] as const

type Mutation = (bytes: Buffer, random: Random) => Buffer

const flipBit: Mutation = (bytes, random) => {
  const at = random.below(bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
  return bytes
}
const setByte: Mutation = (bytes, random) => {
  bytes[random.below(bytes.length)] = random.below(256)
  return bytes
}
const setLength: Mutation = (bytes, random) => {
  if (bytes.length < 4) return bytes
  const at = random.below(bytes.length - 3)
  const edge = random.pick(edges)
  if (random.isOneIn(3)) bytes.writeUInt16LE(edge & 0xffff, at)
  else if (random.isOneIn(2)) bytes.writeUInt32LE(edge, at)
  else bytes.writeUInt32BE(edge, at)
  return bytes
}
const truncate: Mutation = (bytes, random) => bytes.subarray(0, random.below(bytes.length))
const remove: Mutation = (bytes, random) => {
  const at = random.below(bytes.length)
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(16))])
}
const insert: Mutation = (bytes, random) => {
  const at = random.below(bytes.length)
  return Buffer.concat([bytes.subarray(0, at), random.bytes(1 + random.below(16)), bytes.subarray(at)])
}
/** The same stretch several times: counts and depths grow. */
const repeat: Mutation = (bytes, random) => {
  const at = random.below(bytes.length)
  const stretch = bytes.subarray(at, at + 1 + random.below(64))
  const times = 1 + random.below(20)
  return Buffer.concat([bytes.subarray(0, at), ...Array.from({ length: times }, () => stretch), bytes.subarray(at)])
}

const mutations = [flipBit, flipBit, setByte, setLength, setLength, truncate, remove, insert, repeat] as const

/** Up to `most` changes of a copy; sometimes none, so that what lies behind the first check is reached as well. */
export function mutate(bytes: Buffer, random: Random, most = 6): Buffer {
  let result = Buffer.from(bytes)
  for (let left = random.below(most + 1); left > 0 && result.length > 0; left -= 1)
    result = Buffer.from(random.pick(mutations)(result, random))
  return result
}

export const mutateText = (text: string, random: Random, most = 4): string =>
  mutate(Buffer.from(text), random, most).toString('latin1')

/** Typed text that a log must never hold; `problems.ts` looks for it. */
export const typedText = 'Typed4711Canary'

const texts = [
  '',
  ' ',
  typedText,
  `${typedText}@example.com`,
  '\u0000',
  '\ud800',
  '\u202e\u0301\u{1f4a3}',
  '%00%2e%2e%2f',
  '../../../etc/passwd',
  "' or 1=1 --",
  '<img src=x onerror=alert(1)>',
  '{{constructor.constructor("x")()}}',
  '__proto__',
  '2024-02-30T25:61:61Z',
  '1e999',
  'a'.repeat(70_000),
] as const
const numbers = [0, -0, -1, 1, 1.5, 1e21, 2 ** 31, 2 ** 53, -(2 ** 63), Number.MAX_VALUE] as const

/** Any JSON value, mostly of a kind that nobody expects. */
export function anyValue(random: Random, depth = 0): unknown {
  const kind = random.below(depth > 4 ? 4 : 7)
  if (kind === 0) return random.pick([null, true, false])
  if (kind === 1) return random.pick(numbers)
  if (kind === 2) return random.uuid()
  if (kind === 3) return random.pick(texts)
  if (kind === 4) return Array.from({ length: random.below(5) }, () => anyValue(random, depth + 1))
  if (kind === 5)
    return Object.fromEntries(
      Array.from({ length: random.below(5) }, () => [random.pick(texts), anyValue(random, depth + 1)]),
    )
  return `${random.pick(texts)}${random.pick(texts)}`
}
