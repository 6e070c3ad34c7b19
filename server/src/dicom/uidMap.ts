import { createHmac } from 'node:crypto'
import { isRegisteredUid } from './registeredUids.ts'

/**
 * Maps an old UID to a new one: always the same one under one secret, and untraceable without it.
 * HMAC-SHA-256, of which the first 128 bits are written as a decimal below 2.25 (PS3.5 annex B.2 asks for the shape of
 * a UUID, hence version and variant). UIDs that DICOM itself registered name kinds of things, and stay.
 */
export function createUidMapper(secret: Uint8Array): (uid: string) => string {
  return (uid) => {
    if (uid === '' || isRegisteredUid(uid)) return uid
    const digest = createHmac('sha256', secret).update(uid).digest()
    digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80
    digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80
    return `2.25.${BigInt(`0x${digest.toString('hex', 0, 16)}`)}`
  }
}

/** A short name for a patient, the same under one secret. */
export function createPseudonym(secret: Uint8Array, patientID: string): string {
  return `ANON-${createHmac('sha256', secret).update(`patient ${patientID}`).digest('hex').slice(0, 10).toUpperCase()}`
}
