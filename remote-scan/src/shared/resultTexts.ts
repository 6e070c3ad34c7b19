import type { ScanResult, ScanResultKind } from '@dmp/contract/scan'
import { dataWord } from '@dmp/kit'

const kindTexts: Readonly<Record<ScanResultKind, string>> = {
  Report: 'Report',
  Segmentation: 'Segmentation',
  SecondaryCapture: 'Secondary capture',
  Document: 'Document',
  PresentationState: 'Presentation state',
}
export const resultKindText = (kind: ScanResultKind): string => dataWord(kindTexts[kind])

/** Whether the image viewer shows it, and what else can be done with it. */
const viewTexts: Readonly<Record<ScanResultKind, string>> = {
  Report: 'The viewer does not show reports. Read it here.',
  Segmentation: 'The viewer does not lay segmentations over images. Download it to open it elsewhere.',
  SecondaryCapture: 'The viewer shows it like any other image.',
  Document: 'The viewer does not show documents. Download it to read it.',
  PresentationState: 'The viewer does not apply presentation states. Download it to open it elsewhere.',
}
export const resultViewText = (kind: ScanResultKind): string => viewTexts[kind]

export const resultMaker = ({ madeBy, sender }: ScanResult): string =>
  [madeBy, sender].filter((name, at, all) => name && all.indexOf(name) === at).join(' · ')

/** What it is and which program it is from, in one line. */
export const resultText = (result: ScanResult): string =>
  [resultKindText(result.kind), resultMaker(result)].filter(Boolean).join(' · ')
