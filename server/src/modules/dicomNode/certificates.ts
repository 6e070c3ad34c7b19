import { createHash } from 'node:crypto'

/** SHA-256 of a certificate, as administrators write it: 64 upper-case hexadecimal digits. */
export const fingerprintOf = (certificate: Buffer | undefined): string | undefined =>
  certificate === undefined ? undefined : createHash('sha256').update(certificate).digest('hex').toUpperCase()
