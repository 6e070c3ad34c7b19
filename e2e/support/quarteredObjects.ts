import { element, number, writeFile, type Identity } from './dicomFile.ts'

/** Objects of unusual pixels, each a square of four quarters: what the screen has to show is known for each. */

type Colour = readonly [red: number, green: number, blue: number]

export interface QuarteredObject {
  readonly name: string
  readonly file: (identity: Identity) => Buffer
  /** Above left, above right, below left, below right. */
  readonly quarters: readonly [Colour, Colour, Colour, Colour]
}

/** In the page: the colours in the middles of the quarters of a square picture that fills its pane. */
export function readQuarters(canvas: HTMLCanvasElement): number[][] {
  const copy = document.createElement('canvas')
  copy.width = canvas.width
  copy.height = canvas.height
  const pen = copy.getContext('2d')!
  pen.drawImage(canvas, 0, 0)
  const quarter = Math.min(canvas.width, canvas.height) / 4
  return [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ].map(([across = 0, down = 0]) => {
    const [x, y] = [canvas.width / 2 + across * quarter, canvas.height / 2 + down * quarter]
    return Array.from(pen.getImageData(x, y, 1, 1).data.slice(0, 3))
  })
}

/** How far the worst shade is from what it has to be. */
export const farthest = (some: readonly (readonly number[])[], others: readonly (readonly number[])[]): number =>
  Math.max(
    ...some.flatMap((colour, at) => colour.map((shade, sample) => Math.abs(shade - (others[at]?.[sample] ?? 999)))),
  )

const side = 16
const colours = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
] as const
const grey = (shade: number): Colour => [shade, shade, shade]
const [runLengthSyntax, jpegSyntax, jpeg2000Syntax] = ['5', '4.50', '4.90'].map((end) => `1.2.840.10008.1.2.${end}`)

/** In which quarter a pixel lies. */
const quarterOf = (pixel: number): number => (pixel >= (side * side) / 2 ? 2 : 0) + (pixel % side >= side / 2 ? 1 : 0)
const eachPixel = <T>(make: (quarter: number) => T): T[] =>
  Array.from({ length: side * side }, (_, pixel) => make(quarterOf(pixel)))

/** Pixel data in fragments: an empty table, one frame, the end. */
function encapsulated(frame: Buffer): Buffer {
  const length = Buffer.alloc(4)
  const padded = frame.length % 2 === 0 ? frame : Buffer.concat([frame, Buffer.alloc(1)])
  length.writeUInt32LE(padded.length)
  const item = Buffer.from([0xfe, 0xff, 0x00, 0xe0])
  const head = Buffer.from([0xe0, 0x7f, 0x10, 0x00, 0x4f, 0x42, 0, 0, 0xff, 0xff, 0xff, 0xff])
  const end = Buffer.from([0xfe, 0xff, 0xdd, 0xe0, 0, 0, 0, 0])
  return Buffer.concat([head, item, Buffer.alloc(4), item, length, padded, end])
}

/** Run lengths that hold each segment as it is, in pieces of 128 bytes (PS3.5 annex G). */
function runLengths(segments: readonly number[][]): Buffer {
  const header = Buffer.alloc(64)
  header.writeUInt32LE(segments.length)
  const parts = segments.map((bytes) => {
    const pieces: number[] = []
    for (let at = 0; at < bytes.length; at += 128) {
      const piece = bytes.slice(at, at + 128)
      pieces.push(piece.length - 1, ...piece)
    }
    return Buffer.from(pieces)
  })
  parts.reduce((start, part, index) => (header.writeUInt32LE(start, 4 + index * 4), start + part.length), 64)
  return Buffer.concat([header, ...parts])
}

interface Numbers {
  readonly samples?: number
  readonly photometric?: string
  readonly allocated: number
  readonly stored?: number
  readonly isSigned?: boolean
  readonly window?: readonly [center: number, width: number]
}

const shape = ({ samples, photometric, allocated, stored, isSigned, window }: Numbers): Buffer[] => [
  ...(samples === undefined ? [] : [element('00280002', 'US', number(samples))]),
  ...(photometric === undefined ? [] : [element('00280004', 'CS', photometric)]),
  ...(samples === 3 ? [element('00280006', 'US', number(0))] : []),
  element('00280010', 'US', number(side)),
  element('00280011', 'US', number(side)),
  element('00280100', 'US', number(allocated)),
  ...(stored === undefined ? [] : [element('00280101', 'US', number(stored))]),
  ...(stored === undefined ? [] : [element('00280102', 'US', number(stored - 1))]),
  ...(isSigned === undefined ? [] : [element('00280103', 'US', number(isSigned ? 1 : 0))]),
  ...(window === undefined
    ? []
    : [element('00281050', 'DS', String(window[0])), element('00281051', 'DS', String(window[1]))]),
]

/** RGB, numbered 82, 71 and 66, and not a word about it: written by dcmtk, without its Adobe segment. */
const silentJpeg = Buffer.from(
  '/9j/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/wAAR' +
    'CAAQABADUhEARxEAQhEA/8QAFgABAQEAAAAAAAAAAAAAAAAACgAJ/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAwDUgBHAEIAAD8A' +
    '38H/AB/wAz/EgAz/AA/w/wAT/9k=',
  'base64',
)
/** -1000, 0, 500 and 900 in a code stream that says unsigned: written by gdcm. */
const unsignedStream = Buffer.from(
  '/0//UQApAAAAAAAQAAAAEAAAAAAAAAAAAAAAEAAAABAAAAAAAAAAAAABDwEB/1IADAAAAAEAAwQEAAH/XAANQICIiJCIiJCIiJD/' +
    'ZAAqAAFDcmVhdGVkIGJ5IEdEQ00vT3BlbkpQRUcgdmVyc2lvbiAyLjUuMP+QAAoAAAAAAJgAAf+Tz/wwIAiDW9Gy3E7gwP8AiA/k' +
    'HgD9gYAE8kYh0TRWfwTDGEjMmkUELshlVazAfyHwH8h8A/kJF73Wt7BPRakPQqi/j/9/DxanoyjMw7k5tzvh2lV/FrFhZONAgf69' +
    'wH8h0B/IfAH7AoAiGQKtY5bjqHKB8RWmnwN62nbxYaWAYDmn65bVjyQrX4Jn/9k=',
  'base64',
)

/** -100, 0, 50 and 90 as signed bytes, without loss: written by gdcm. */
const signedBytes = [
  {
    name: 'JPEG 2000',
    syntax: '1.2.840.10008.1.2.4.90',
    stream:
      '/0//UQApAAAAAAAQAAAAEAAAAAAAAAAAAAAAEAAAABAAAAAAAAAAAAABhwEB/1IADAAAAAEAAwQEAAH/XAANQEBISFBISFBISFD/' +
      'ZAAqAAFDcmVhdGVkIGJ5IEdEQ00vT3BlbkpQRUcgdmVyc2lvbiAyLjUuMP+QAAoAAAAAAGsAAf+T34AwB9eN4oJ/w+oFj7QaB84M' +
      'B3moF78Hba/Men8G4ETD6gmPtCYHzhQXEVP6owhmcn8MaAUW58BIi70WBR5pN8PqCI+0JgPkBiFtCBWNR+D5AMrYGe0QCInaJNyt' +
      '/9kA',
  },
  {
    name: 'JPEG-LS',
    syntax: '1.2.840.10008.1.2.4.80',
    stream: '/9j/9wALCAAQABABAREA/9oACAEBAAAAAAAAAcWV4AAAON/OZ8XS4cOHDAUpSlKVQAAAGyqqiIiKfhw4cOHD/9kA',
  },
  {
    name: 'JPEG without loss',
    syntax: '1.2.840.10008.1.2.4.70',
    stream:
      '/9j/wwALCAAQABABAREA/8QAGAABAQEBAQAAAAAAAAAAAAAAAAYIBQf/2gAIAQEAAQAA7gDMYAAzGAAMxgADMYAAzGAAMxgADMYA' +
      'AzGA8VAVAAAqAABUAACoAAFQAAKgAAVAAAqAH//ZAA==',
  },
]

export const quarteredObjects: readonly QuarteredObject[] = [
  {
    name: 'colours of 16 bits in run lengths',
    quarters: colours,
    file: (identity) => {
      const planes = [0, 1, 2].map((sample) => eachPixel((quarter) => colours[quarter]?.[sample] ?? 0))
      // The larger byte and the smaller one are alike.
      const frame = runLengths(planes.flatMap((plane) => [plane, plane]))
      const image = [...shape({ samples: 3, photometric: 'RGB', allocated: 16, stored: 16, isSigned: false })]
      return writeFile(identity, [...image, encapsulated(frame)], { transferSyntaxUID: runLengthSyntax ?? '' })
    },
  },
  {
    name: 'single bits in run lengths',
    quarters: [grey(255), grey(0), grey(0), grey(255)],
    file: (identity) => {
      const bits = eachPixel<number>((quarter) => (quarter === 0 || quarter === 3 ? 1 : 0))
      const bytes = Array.from({ length: bits.length / 8 }, (_, byte) =>
        bits.slice(byte * 8, byte * 8 + 8).reduce((sum, bit, place) => sum + (bit << place), 0),
      )
      const image = shape({ samples: 1, photometric: 'MONOCHROME2', allocated: 1, stored: 1, isSigned: false })
      return writeFile(identity, [...image, encapsulated(runLengths([bytes]))], {
        transferSyntaxUID: runLengthSyntax ?? '',
      })
    },
  },
  {
    name: 'RGB in a JPEG that does not say so',
    quarters: colours,
    file: (identity) => {
      const image = shape({ samples: 3, photometric: 'RGB', allocated: 8, stored: 8, isSigned: false })
      return writeFile(identity, [...image, encapsulated(silentJpeg)], { transferSyntaxUID: jpegSyntax ?? '' })
    },
  },
  {
    name: 'signed values in a code stream that says unsigned',
    quarters: [grey(0), grey(128), grey(191), grey(242)],
    file: (identity) => {
      const image = shape({
        samples: 1,
        photometric: 'MONOCHROME2',
        allocated: 16,
        stored: 12,
        isSigned: true,
        window: [0, 2000],
      })
      return writeFile(identity, [...image, encapsulated(unsignedStream)], { transferSyntaxUID: jpeg2000Syntax ?? '' })
    },
  },
  ...signedBytes.map(({ name, syntax, stream }) => ({
    name: `signed bytes in ${name}`,
    quarters: [grey(0), grey(128), grey(192), grey(243)] as const,
    file: (identity: Identity) => {
      const bytes = { samples: 1, photometric: 'MONOCHROME2', allocated: 8, stored: 8, isSigned: true }
      const image = shape({ ...bytes, window: [0, 200] })
      const frame = encapsulated(Buffer.from(stream, 'base64'))
      return writeFile(identity, [...image, frame], { transferSyntaxUID: syntax })
    },
  })),
  {
    name: 'an image that says its size and nothing else',
    quarters: [grey(0), grey(85), grey(170), grey(255)],
    file: (identity) => {
      const pixels = Buffer.from(Uint16Array.from(eachPixel((quarter) => quarter * 300)).buffer)
      return writeFile(identity, [...shape({ allocated: 16 }), element('7FE00010', 'OW', pixels)])
    },
  },
]
