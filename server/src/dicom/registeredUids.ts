import { dicomRoot, isUid } from '@dmp/dicom'
import tails from './registeredUids.json' with { type: 'json' }

/** PS3.6 annex A, below the root of DICOM; kinds that are younger than the list are told by their arc. */
const registered = new Set(tails.map((tail) => `${dicomRoot}${tail}`))
/** Context groups (PS3.16), of which each edition registers more; the number alone follows. */
const contextGroup = /^1\.2\.840\.10008\.6\.1\.[1-9]\d{0,3}$/
/** Transfer syntaxes and SOP classes. */
const kindArc = /^1\.2\.840\.10008\.(?:1\.2|5\.1\.4)(?:\.[1-9]\d{0,2}){1,6}$/

/** Whether DICOM itself registered the UID: it names a kind of things, not a thing. The root alone proves nothing. */
export const isRegisteredUid = (uid: string): boolean => registered.has(uid) || contextGroup.test(uid)

/** Whether the UID names a SOP class or transfer syntax, where an attribute says that it does. */
export const isKindUid = (uid: string): boolean => isUid(uid) && (registered.has(uid) || kindArc.test(uid))
