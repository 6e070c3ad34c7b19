import { createHmac } from 'node:crypto'

/** UIDs that DICOM itself registered name kinds of things, not things: they stay. */
const isRegistered = (uid: string): boolean => uid.startsWith('1.2.840.10008.')

/**
 * New UIDs that are the same for the same old one within one transfer and cannot be traced back without its secret:
 * HMAC-SHA-256, the first 128 bits as a decimal below 2.25 (PS3.5 annex B.2 asks for the shape of a UUID, hence version
 * and variant).
 */
export function uidMapper(secret: Uint8Array): (uid: string) => string {
  return (uid) => {
    if (uid === '' || isRegistered(uid)) return uid
    const digest = createHmac('sha256', secret).update(uid).digest()
    digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80
    digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80
    return `2.25.${BigInt(`0x${digest.toString('hex', 0, 16)}`)}`
  }
}

/** A short name for a patient, the same within one transfer. */
export function pseudonym(secret: Uint8Array, patientID: string): string {
  return `ANON-${createHmac('sha256', secret).update(`patient ${patientID}`).digest('hex').slice(0, 10).toUpperCase()}`
}
