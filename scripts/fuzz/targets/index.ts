import type { FuzzCase } from '../FuzzCase.ts'
import type { Random } from '../Random.ts'
import { dicom } from './dicom.ts'
import { json } from './json.ts'
import { jwt } from './jwt.ts'
import { live } from './live.ts'
import { multipart } from './multipart.ts'
import { tus } from './tus.ts'

/** Makes a case; the same chance makes the same one. */
export type Target = (random: Random) => FuzzCase

export const targets: Readonly<Record<string, Target>> = { dicom, multipart, tus, json, jwt, live }
