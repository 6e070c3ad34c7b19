import type { RawElement } from '@dmp/dimse/elementWriter'
import { isKindUid } from './registeredUids.ts'

/** UIDs without the blanks and zeros that pad values to an even length. */
export const withoutFill = (uids: string): string => uids.replace(/[\0 ]+/g, '')

/** Attributes that name a kind of objects or an encoding. */
const namesKind = /SOPClass|TransferSyntaxUID/

/** Replaces every UID that DICOM itself did not register, in each of several values. */
export function replaceUids(value: Buffer, keyword: string | undefined, map: (uid: string) => string): RawElement {
  const isKind = namesKind.test(keyword ?? '')
  const uids = value
    .toString('latin1')
    .split('\\')
    .map(withoutFill)
    .map((uid) => (isKind && isKindUid(uid) ? uid : map(uid)))
  return { vr: 'UI', value: Buffer.from(uids.join('\\'), 'latin1') }
}
