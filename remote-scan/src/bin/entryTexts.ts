import { personName } from '@dmp/kit'
import type { BinEntry } from '@dmp/contract/scan'
import { noNameText } from '../shared/scanSubject.ts'

export const describeEntry = ({ modality, studyDescription, seriesDescription, sopInstanceUID }: BinEntry): string =>
  [modality, studyDescription, seriesDescription, sopInstanceUID === null ? '' : oneText()].filter(Boolean).join(' · ')

export const nameEntry = (entry: BinEntry): string =>
  [entry.patientName || noNameText(), entry.patientID, describeEntry(entry)].filter(Boolean).join(' · ')

const oneText = (): string => 'One image'

/** Why it does not go; '' where nothing holds it. */
export const toHoldText = ({ hold }: BinEntry): string =>
  hold ? `Legal hold: ${hold.reason} (${personName(hold.heldByUser)})` : ''
