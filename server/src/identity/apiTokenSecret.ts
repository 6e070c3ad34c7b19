import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Scanners of repositories and logs know a secret of this product by it. */
const prefix = 'dmp_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 256 bits, and 32 of the checksum, to the base of 62. */
const [secretChars, checksumChars] = [43, 6]
const form = /^dmp_[0-9A-Za-z]{49}$/

/** The characters that are shown later, to tell tokens apart: of the checksum, which says nothing of the rest. */
const hintChars = 4

function toDigits(value: bigint, length: number): string {
  let digits = ''
  for (let rest = value; digits.length < length; rest /= 62n) digits = alphabet.charAt(Number(rest % 62n)) + digits
  return digits
}

const toChecksum = (text: string): string => toDigits(BigInt(crc32(text)), checksumChars)

/** A new secret: `dmp_`, 256 random bits, and a checksum by which anybody can tell a real one from a look-alike. */
export function createApiTokenSecret(): string {
  const random = toDigits(BigInt(`0x${randomBytes(32).toString('hex')}`), secretChars)
  return `${prefix}${random}${toChecksum(prefix + random)}`
}

/** Whether the text is meant for one, were it whole or not. */
export const hasApiTokenPrefix = (text: string): boolean => text.startsWith(prefix)

/** Whether the text has the form of a secret; most of what is typed, cut off or guessed has not. */
export const isApiTokenSecret = (text: string): boolean =>
  form.test(text) && text.slice(-checksumChars) === toChecksum(text.slice(0, -checksumChars))

/**
 * What is stored. Nobody can try out 256 random bits, so neither salt nor slowness would add anything; a quick hash is
 * right for a secret that comes with each request. It has no key, so that a new DMP_SECRET ends no machine's work.
 */
export const hashApiTokenSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

export const toHint = (secret: string): string => secret.slice(-hintChars)
