import { randomInt } from 'node:crypto'

const explicitLittleEndian = '1.2.840.10008.1.2.1'
const ctImage = '1.2.840.10008.5.1.4.1.1.2'

/** What the UIDs of this suite begin with, so that its own scans are told from those of the deployment. */
const ownUid = '2.25.88'

/** A unique UID (PS3.5, annex B.2). */
export const freshUid = (): string =>
  `${ownUid}${Array.from({ length: 7 }, () => String(randomInt(0, 100_000)).padStart(5, '0')).join('')}`

/** Whether an address names a series of this suite. */
export const namesOwnSeries = (url: string): boolean => /\/series\/2\.25\.88\d{35}\//.test(url)

export function element(tag: string, vr: string, value: string | Buffer): Buffer {
  const raw = Buffer.isBuffer(value) ? value : Buffer.from(value, 'latin1')
  const padded = raw.length % 2 === 0 ? raw : Buffer.concat([raw, Buffer.from(vr === 'UI' ? '\0' : ' ')])
  const isLong = ['OB', 'OW', 'SQ', 'UN', 'UT'].includes(vr)
  const head = Buffer.alloc(isLong ? 12 : 8)
  head.writeUInt16LE(Number.parseInt(tag.slice(0, 4), 16), 0)
  head.writeUInt16LE(Number.parseInt(tag.slice(4), 16), 2)
  head.write(vr, 4, 'latin1')
  if (isLong) head.writeUInt32LE(padded.length, 8)
  else head.writeUInt16LE(padded.length, 6)
  return Buffer.concat([head, padded])
}

export const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

export interface Identity {
  readonly patientName: string
  readonly patientID: string
  readonly studyUID: string
  readonly seriesUID: string
}

/** A CT object as a file (PS3.10): who and where it is, and the elements of its image in the order of their tags. */
export function writeFile(
  { patientName, patientID, studyUID, seriesUID }: Identity,
  image: readonly Buffer[],
  { slice = 1, transferSyntaxUID = explicitLittleEndian } = {},
): Buffer {
  const sopUID = freshUid()
  const meta = Buffer.concat([
    element('00020001', 'OB', Buffer.from([0, 1])),
    element('00020002', 'UI', ctImage),
    element('00020003', 'UI', sopUID),
    element('00020010', 'UI', transferSyntaxUID),
    element('00020012', 'UI', '2.25.1'),
  ])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(meta.length)
  const dataset = [
    element('00080005', 'CS', 'ISO_IR 100'),
    element('00080016', 'UI', ctImage),
    element('00080018', 'UI', sopUID),
    // So long ago that it stands last in lists: the first rows are those of the deployment, which stay.
    element('00080020', 'DA', '19000102'),
    element('00080022', 'DA', '19000102'),
    element('00080060', 'CS', 'CT'),
    element('0008103E', 'LO', 'Journey'),
    element('00100010', 'PN', patientName),
    element('00100020', 'LO', patientID),
    element('0020000D', 'UI', studyUID),
    element('0020000E', 'UI', seriesUID),
    element('00200013', 'IS', String(slice)),
    ...image,
  ]
  return Buffer.concat([Buffer.alloc(128), Buffer.from('DICM'), element('00020000', 'UL', length), meta, ...dataset])
}

/** One CT slice with a slope of greys; `side`: its rows and columns, `slice`: its place in a stack. */
export function aDicomFile(identity: Identity, side = 16, slice = 1): Buffer {
  const pixels = Buffer.alloc(side * side * 2)
  for (let at = 0; at < side * side; at += 1) pixels.writeUInt16LE((at * 16 + slice * 64) % 4096, at * 2)
  const image = [
    element('00200032', 'DS', `0\\0\\${slice * 5}`),
    element('00200037', 'DS', '1\\0\\0\\0\\1\\0'),
    element('00280002', 'US', number(1)),
    element('00280004', 'CS', 'MONOCHROME2'),
    element('00280010', 'US', number(side)),
    element('00280011', 'US', number(side)),
    element('00280030', 'DS', '1.5\\1.5'),
    element('00280100', 'US', number(16)),
    element('00280101', 'US', number(12)),
    element('00280102', 'US', number(11)),
    element('00280103', 'US', number(0)),
    element('7FE00010', 'OW', pixels),
  ]
  return writeFile(identity, image, { slice })
}

/** The body of a store request (PS3.18, 10.5) and its type. */
export function toStoreRequest(objects: readonly Buffer[]): { body: Buffer; contentType: string } {
  const boundary = 'journey'
  const body = Buffer.concat([
    ...objects.flatMap((object) => [
      Buffer.from(`--${boundary}\r\nContent-Type: application/dicom\r\n\r\n`),
      object,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--`),
  ])
  return { body, contentType: `multipart/related; type="application/dicom"; boundary=${boundary}` }
}
