import type { BinEntry } from '@dmp/contract/scan'

export const describeEntry = ({ modality, studyDescription, seriesDescription, sopInstanceUID }: BinEntry): string =>
  [modality, studyDescription, seriesDescription, sopInstanceUID === null ? '' : 'One image']
    .filter(Boolean)
    .join(' · ')

export const nameEntry = (entry: BinEntry): string =>
  [entry.patientName || 'No name', describeEntry(entry)].filter(Boolean).join(' · ')
