import { sopClass, tag, transferSyntax } from '@dmp/dicom'
import { elementBytes, itemBytes, part10Start, textValue, type RawElement } from '@dmp/dimse/elementWriter'

/** A series in a directory (PS3.3 annex F), with its patient, its study and its objects. */
export interface DirectoryContent {
  /** As DICOM writes names. */
  readonly patientName: string
  readonly patientID: string
  readonly studyUID: string
  /** DA and TM; empty when unknown. */
  readonly studyDate: string
  readonly studyTime: string
  readonly studyDescription: string
  readonly studyID: string
  readonly accessionNumber: string
  readonly seriesUID: string
  readonly seriesNumber: string
  readonly modality: string
  readonly objects: readonly DirectoryObject[]
}

export interface DirectoryObject {
  /** Components of its path, each at most 8 characters of A-Z, 0-9 and _. */
  readonly path: readonly string[]
  readonly sopClassUID: string
  readonly sopInstanceUID: string
  readonly transferSyntaxUID: string
  readonly instanceNumber: number
  readonly hasImage: boolean
}

const encoding = { isExplicit: true, isBigEndian: false } as const
const utf8 = 'ISO_IR 192'

type DirectoryKeys = ReadonlyArray<readonly [tag: string, raw: RawElement]>

const numberValue = (vr: 'UL' | 'US', value: number): RawElement => {
  const bytes = Buffer.alloc(vr === 'UL' ? 4 : 2)
  bytes.writeUIntLE(value, 0, bytes.length)
  return { vr, value: bytes }
}

/** PS3.3 table F.5: kinds of records besides images. */
function toRecordType({ sopClassUID, hasImage }: DirectoryObject): string {
  const end = sopClassUID.replace('1.2.840.10008.5.1.4.1.1.', '')
  if (end.startsWith('88.59')) return 'KEY OBJECT DOC'
  if (end.startsWith('88.')) return 'SR DOCUMENT'
  if (end.startsWith('11.')) return 'PRESENTATION'
  if (end.startsWith('9.')) return 'WAVEFORM'
  if (end.startsWith('104.')) return 'ENCAP DOC'
  if (end === '66') return 'RAW DATA'
  if (end === '481.3') return 'RT STRUCTURE SET'
  if (end === '481.5') return 'RT PLAN'
  return hasImage || end !== '66.1' ? 'IMAGE' : 'REGISTRATION'
}

function recordBytes(next: number, lower: number, type: string, keys: DirectoryKeys): Buffer {
  const elements: DirectoryKeys = [
    [tag.OffsetOfTheNextDirectoryRecord, numberValue('UL', next)],
    [tag.RecordInUseFlag, numberValue('US', 0xffff)],
    [tag.OffsetOfReferencedLowerLevelDirectoryEntity, numberValue('UL', lower)],
    [tag.DirectoryRecordType, textValue('CS', type)],
    ...keys,
  ]
  return itemBytes(Buffer.concat(elements.map(([tag, raw]) => elementBytes(tag, raw, encoding))), false)
}

function toObjectKeys(object: DirectoryObject): DirectoryKeys {
  return [
    [tag.ReferencedFileID, textValue('CS', object.path.join('\\'))],
    [tag.ReferencedSOPClassUIDInFile, textValue('UI', object.sopClassUID)],
    [tag.ReferencedSOPInstanceUIDInFile, textValue('UI', object.sopInstanceUID)],
    [tag.ReferencedTransferSyntaxUIDInFile, textValue('UI', object.transferSyntaxUID)],
    [tag.InstanceNumber, textValue('IS', String(object.instanceNumber))],
  ]
}

function toHeadKeys(content: DirectoryContent): {
  patient: DirectoryKeys
  study: DirectoryKeys
  series: DirectoryKeys
} {
  return {
    patient: [
      [tag.SpecificCharacterSet, textValue('CS', utf8)],
      [tag.PatientName, textValue('PN', content.patientName)],
      [tag.PatientID, textValue('LO', content.patientID || 'UNKNOWN')],
    ],
    study: [
      [tag.SpecificCharacterSet, textValue('CS', utf8)],
      [tag.StudyDate, textValue('DA', content.studyDate || '19000101')],
      [tag.StudyTime, textValue('TM', content.studyTime || '000000')],
      [tag.AccessionNumber, textValue('SH', content.accessionNumber)],
      [tag.StudyDescription, textValue('LO', content.studyDescription)],
      [tag.StudyInstanceUID, textValue('UI', content.studyUID)],
      [tag.StudyID, textValue('SH', content.studyID || 'UNKNOWN')],
    ],
    series: [
      [tag.Modality, textValue('CS', content.modality || 'OT')],
      [tag.SeriesInstanceUID, textValue('UI', content.seriesUID)],
      [tag.SeriesNumber, textValue('IS', content.seriesNumber || '0')],
    ],
  }
}

/** A record of the tree, with the records below it. */
interface DirectoryNode {
  readonly type: string
  readonly keys: DirectoryKeys
  readonly lower: readonly DirectoryNode[]
}

/** Series under their studies, and these under their patients, each patient and study once. */
function toTree(contents: readonly DirectoryContent[]): DirectoryNode[] {
  const groupBy = (of: readonly DirectoryContent[], key: (content: DirectoryContent) => string) =>
    [...Map.groupBy(of, key).values()] as [DirectoryContent, ...DirectoryContent[]][]
  return groupBy(contents, ({ patientID, patientName }) => JSON.stringify([patientID, patientName])).map((patient) => ({
    type: 'PATIENT',
    keys: toHeadKeys(patient[0]).patient,
    lower: groupBy(patient, ({ studyUID }) => studyUID).map((study) => ({
      type: 'STUDY',
      keys: toHeadKeys(study[0]).study,
      lower: study.map((content) => ({
        type: 'SERIES',
        keys: toHeadKeys(content).series,
        lower: content.objects.map((object) => ({ type: toRecordType(object), keys: toObjectKeys(object), lower: [] })),
      })),
    })),
  }))
}

/** The length of a record is the same whatever its offsets are. */
const ownLength = ({ type, keys }: DirectoryNode): number => recordBytes(0, 0, type, keys).length

/** The records in the order of the tree from `start` on; each names the next of its level and the first below it. */
function writeRecords(nodes: readonly DirectoryNode[], start: number): { bytes: Buffer; end: number; last: number } {
  const bytes: Buffer[] = []
  let offset = start
  let last = 0
  nodes.forEach((node, index) => {
    last = offset
    const lowerStart = offset + ownLength(node)
    const lower = writeRecords(node.lower, lowerStart)
    const next = index === nodes.length - 1 ? 0 : lower.end
    bytes.push(recordBytes(next, node.lower.length > 0 ? lowerStart : 0, node.type, node.keys), lower.bytes)
    offset = lower.end
  })
  return { bytes: Buffer.concat(bytes), end: offset, last }
}

/** The file DICOMDIR (PS3.10), by which readers of media find the series. */
export function createDicomdir(...contents: readonly [DirectoryContent, ...DirectoryContent[]]): Buffer {
  const start = part10Start({
    sopClassUID: sopClass.mediaStorageDirectory,
    sopInstanceUID: `${contents[0].seriesUID.slice(0, 60)}.1`,
    transferSyntaxUID: transferSyntax.explicitLittleEndian,
  })
  const createHead = (first: number, last: number): Buffer =>
    Buffer.concat(
      (
        [
          [tag.FileSetID, textValue('CS', 'DMP')],
          [tag.OffsetOfTheFirstDirectoryRecordOfTheRootDirectoryEntity, numberValue('UL', first)],
          [tag.OffsetOfTheLastDirectoryRecordOfTheRootDirectoryEntity, numberValue('UL', last)],
          [tag.FileSetConsistencyFlag, numberValue('US', 0)],
        ] as const
      ).map(([tag, raw]) => elementBytes(tag, raw, encoding)),
    )
  // Tag, VR, reserved and length of the sequence come before its first item.
  const first = start.length + createHead(0, 0).length + 12
  const { bytes, last } = writeRecords(toTree(contents), first)
  return Buffer.concat([
    start,
    createHead(first, last),
    elementBytes(tag.DirectoryRecordSequence, { vr: 'SQ', value: bytes }, encoding),
  ])
}
