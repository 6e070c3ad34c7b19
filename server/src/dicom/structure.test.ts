import { deflateRawSync } from 'node:zlib'
import { elementBytes } from '@dmp/dimse/elementWriter'
import type { ByteSource } from './byteSource.ts'
import { readInstance, readInstanceBytes } from './instance.ts'
import { largeValue, manyItems } from '../testing/attackObjects.ts'
import { dicomLimits, storedDicomLimits } from './limits.ts'
import { DicomRefusal } from './refusal.ts'
import { StructureWalk } from './structure.ts'
import { CT, datasetBytes, dicomFile, encapsulated, explicitLittle, slice, text } from './testing/dicomFile.ts'
import {
  findRefusal,
  without,
  start,
  preamble,
  inject,
  raw,
  front,
  item,
  sequenceEnd,
  itemEnd,
  undefinedLength,
  nested,
  compressed,
  meta,
  metaUid,
  report,
  itRefuses,
  type Lie,
} from './instanceInTests.ts'

const lies: readonly Lie[] = [
  ['nothing at all', 'NOT_DICOM', () => Buffer.alloc(0)],
  ['132 zeros', 'NOT_DICOM', () => Buffer.alloc(132)],
  ['a text file', 'NOT_DICOM', () => Buffer.from('Dear colleague, please find attached. '.repeat(20))],
  ['a JPEG', 'NOT_DICOM', () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(500)])],
  ['DICM one byte early', 'NOT_DICOM', () => dicomFile().subarray(1)],
  ['a Windows program in the preamble', 'PREAMBLE', () => preamble('MZ\x90')],
  ['a Linux program in the preamble', 'PREAMBLE', () => preamble('\x7fELF')],
  ['a script in the preamble', 'PREAMBLE', () => preamble('#!/bin/sh\n')],
  ['a zip in the preamble', 'PREAMBLE', () => preamble('PK\x03\x04')],
  ['a PDF in the preamble', 'PREAMBLE', () => preamble('%PDF-1.7')],
  ['a Java class in the preamble', 'PREAMBLE', () => preamble('\xca\xfe\xba\xbe')],
  ['a web page in the preamble', 'PREAMBLE', () => preamble('  <html><script>alert(1)</script>')],
  ['a PHP program in the preamble', 'PREAMBLE', () => preamble('<?php system($_GET[0]);')],
  ['a prefix and nothing behind it', 'META', () => meta()],
  ['file meta information alone', 'TRUNCATED', () => start()],
  [
    'file meta information alone that ends with an empty element',
    'TRUNCATED',
    () => Buffer.concat([start(), raw('00020016', 'AE', 0)]),
  ],
  [
    'file meta information alone that ends with an empty long element',
    'TRUNCATED',
    () => Buffer.concat([start(), raw('00020102', 'OB', 0)]),
  ],
  ['no transfer syntax', 'META', () => dicomFile({ start: meta(metaUid('00020002', CT)) })],
  [
    'meta information in implicit VR',
    'META',
    () => dicomFile({ start: meta(Buffer.from([2, 0, 0x10, 0, 0x12, 0, 0, 0]), Buffer.alloc(18)) }),
  ],
  [
    'meta information longer than the file',
    'META',
    () =>
      dicomFile({
        start: meta(
          raw('00020000', 'UL', 4, Buffer.from([0xff, 0xff, 0xff, 0x7f])),
          metaUid('00020010', '1.2.840.10008.1.2.1'),
        ),
      }),
  ],
  ['a meta element longer than the file', 'TRUNCATED', () => dicomFile({ start: meta(raw('00020010', 'UI', 0xfff0)) })],
  [
    'a long meta element longer than the file',
    'TRUNCATED',
    () => dicomFile({ start: meta(raw('00020001', 'OB', 0x7fffffff)) }),
  ],
  [
    'two transfer syntaxes',
    'DUPLICATE_ELEMENT',
    () =>
      dicomFile({ start: meta(metaUid('00020010', '1.2.840.10008.1.2.1'), metaUid('00020010', '1.2.840.10008.1.2')) }),
  ],
  ['a private transfer syntax', 'TRANSFER_SYNTAX', () => dicomFile({ start: start('1.2.840.113619.5.2') })],
  ['a transfer syntax that is a path', 'TRANSFER_SYNTAX', () => dicomFile({ start: start('../../etc/passwd') })],
  [
    'explicit elements said to be implicit',
    'TRUNCATED',
    () => dicomFile({ start: start('1.2.840.10008.1.2'), dataset: datasetBytes(slice()) }),
  ],
  [
    'implicit elements said to be explicit',
    'VR',
    () => dicomFile({ dataset: datasetBytes(slice(), { isExplicit: false, isBigEndian: false }) }),
  ],
  [
    'little-endian elements said to be big-endian',
    'TRUNCATED',
    () => dicomFile({ start: start('1.2.840.10008.1.2.2'), dataset: datasetBytes(slice()) }),
  ],
  ['a value representation that does not exist', 'VR', () => front(raw('00080005', 'ZZ', 0))],
  ['a value representation of zeros', 'VR', () => front(raw('00080005', '\0\0', 0))],
  ['an element longer than the file', 'TRUNCATED', () => front(raw('00080005', 'CS', 0xfffe))],
  ['a long element longer than the file', 'TRUNCATED', () => front(raw('00080005', 'UT', 0xfffffff0))],
  ['text of undefined length', 'LENGTH', () => front(raw('00080005', 'UT', undefinedLength))],
  ['an item longer than its sequence', 'LENGTH', () => front(raw('00081140', 'SQ', 8, item(200)))],
  [
    'an element longer than its item',
    'LENGTH',
    () => front(raw('00081140', 'SQ', 16, item(8, raw('00080100', 'SH', 100)))),
  ],
  ['half an element in an item', 'LENGTH', () => front(raw('00081140', 'SQ', 12, item(4, Buffer.from([8, 0, 0, 1]))))],
  ['a sequence without items', 'SEQUENCE', () => front(raw('00081140', 'SQ', 10, text('SH', 'not items!').value))],
  ['a delimiter that was not opened', 'SEQUENCE', () => front(itemEnd)],
  ['an item outside of a sequence', 'SEQUENCE', () => front(item(0))],
  [
    'a delimiter with a length',
    'SEQUENCE',
    () => front(raw('00081140', 'SQ', undefinedLength, Buffer.from([0xfe, 0xff, 0xdd, 0xe0, 4, 0, 0, 0]))),
  ],
  [
    'more zeros behind the last element than a writer pads with',
    'VR',
    () => Buffer.concat([report(), Buffer.alloc(2 ** 16 + 2)]),
  ],
  [
    'meta information inside of the data set',
    'SEQUENCE',
    () => front(raw('00080005', 'CS', 0), metaUid('00020010', '1.2.840.10008.1.2')),
  ],
  ['a command inside of the data set', 'SEQUENCE', () => front(metaUid('00000002', CT))],
  ['an open sequence that is never closed', 'SEQUENCE', () => front(raw('00081140', 'SQ', undefinedLength))],
  [
    'an open item that is never closed',
    'TRUNCATED',
    () =>
      dicomFile({
        dataset: Buffer.concat([
          datasetBytes(without('7FE00010')),
          raw('FFFAFFFA', 'SQ', undefinedLength, item(undefinedLength)),
        ]),
      }),
  ],
  ['sequences nested one level too deep', 'DEPTH', () => front(nested(dicomLimits.depth + 1, false))],
  ['open sequences nested 5,000 deep', 'DEPTH', () => front(nested(5_000, true))],
  ['the patient twice', 'DUPLICATE_ELEMENT', () => front(raw('00100010', 'PN', 2, Buffer.from('AB')))],
  [
    'an element twice in an item',
    'DUPLICATE_ELEMENT',
    () =>
      front(raw('00081140', 'SQ', 24, item(16, Buffer.concat([raw('00080100', 'SH', 0), raw('00080100', 'SH', 0)])))),
  ],
  [
    'more items than allowed',
    'TOO_LARGE',
    () => front(raw('00081140', 'SQ', 8 * (dicomLimits.items + 1), Buffer.alloc(8 * (dicomLimits.items + 1), item(0)))),
  ],
  [
    'a header larger than allowed',
    'TOO_LARGE',
    () => front(raw('00091010', 'OB', dicomLimits.headerBytes + 2, Buffer.alloc(dicomLimits.headerBytes + 2))),
  ],
  [
    'a deflate bomb',
    'DEFLATE',
    () =>
      Buffer.concat([
        start('1.2.840.10008.1.2.1.99'),
        deflateRawSync(Buffer.alloc(dicomLimits.inflatedBytes + 2 ** 20)),
      ]),
  ],
  [
    'noise said to be deflated',
    'DEFLATE',
    () => Buffer.concat([start('1.2.840.10008.1.2.1.99'), Buffer.from('this was never deflated by anybody')]),
  ],
  [
    'a deflated object cut short',
    'DEFLATE',
    () => dicomFile({ transferSyntaxUID: '1.2.840.10008.1.2.1.99' }).subarray(0, -10),
  ],
]

describe('objects of a broken structure are refused with a reason [P12]', () => itRefuses(lies))

describe('the ceilings of one object [P12]', () => {
  const walked = (...pieces: Buffer[]): string => {
    const bytes = Buffer.concat(pieces)
    try {
      new StructureWalk(bytes, 0, bytes.length, explicitLittle).toPixelData()
      return 'taken'
    } catch (cause) {
      return cause instanceof DicomRefusal ? cause.reason : String(cause)
    }
  }
  const findReason = (bytes: Buffer): Promise<string> =>
    findRefusal(bytes).then((refusal) => refusal?.reason ?? 'taken')
  const filler = (tag: string, length: number) =>
    elementBytes(tag, { vr: 'OB', value: Buffer.alloc(length - 12) }, explicitLittle)
  const items = (count: number): Buffer => raw('00081140', 'SQ', 8 * count, Buffer.alloc(8 * count, item(0)))

  /** Private elements without a value. */
  const elements = (count: number): Buffer =>
    Buffer.concat(
      Array.from({ length: count }, (_, index) =>
        raw((0x00111000 + 0x20000 * (index >> 12) + (index % 4096)).toString(16).padStart(8, '0'), 'CS', 0),
      ),
    )

  it('are so many items, and not one more [P12]', () => {
    expect([walked(items(dicomLimits.items)), walked(items(dicomLimits.items + 1))]).toEqual(['taken', 'TOO_LARGE'])
  })

  it('are so many elements and items together, and not one more [P12]', () => {
    // The sequence is an element itself.
    const left = dicomLimits.elements - dicomLimits.items - 1
    expect([
      walked(items(dicomLimits.items), elements(left)),
      walked(items(dicomLimits.items), elements(left + 1)),
    ]).toEqual(['taken', 'TOO_LARGE'])
  })

  it('are so many times its own size that an object may inflate to, unless that is little [P12]', async () => {
    const inflating = (bytes: number) => findReason(largeValue('1.2', bytes, true))
    // Zeros inflate a thousandfold.
    expect([
      await inflating(dicomLimits.freelyInflatedBytes - 1000),
      await inflating(dicomLimits.freelyInflatedBytes + 1000),
    ]).toEqual(['taken', 'DEFLATE'])
  })

  it('are wider for what is stored: an earlier version took it in [P12]', async () => {
    const object = manyItems('1.2', dicomLimits.items + 1)
    const taken = await readInstanceBytes(object, { limits: storedDicomLimits })
    expect([await findReason(object), taken.header['00081140']?.Value?.length]).toEqual([
      'TOO_LARGE',
      dicomLimits.items + 1,
    ])
  })

  it('are so many bytes before the pixels, and behind them [P12]', async () => {
    const { headerBytes } = dicomLimits
    const head = report()
    expect([
      await findReason(Buffer.concat([head, filler('00291010', headerBytes - head.length)])),
      await findReason(Buffer.concat([head, filler('00291010', headerBytes - head.length + 2)])),
    ]).toEqual(['taken', 'TOO_LARGE'])
    expect([
      await findReason(inject(filler('FFFCFFFC', headerBytes))),
      await findReason(inject(filler('FFFCFFFC', headerBytes + 2))),
    ]).toEqual(['taken', 'TOO_LARGE'])
  })

  it('are so many fragments of the pixels [P12]', async () => {
    const of = (fragments: number) =>
      compressed(Buffer.concat([encapsulated([]).subarray(0, -8), Buffer.alloc(8 * fragments, item(0)), sequenceEnd]))
    // The offset table lies before them, as an item of its own.
    expect([await findReason(of(dicomLimits.fragments - 1)), await findReason(of(dicomLimits.fragments))]).toEqual([
      'taken',
      'TOO_LARGE',
    ])
  })

  it('are so many bytes of a deflated object, and what ends before its size is refused [P12]', async () => {
    const bytes = dicomFile({ transferSyntaxUID: '1.2.840.10008.1.2.1.99' })
    const sized = (size: number): ByteSource => ({
      size,
      read: async (offset, length) => bytes.subarray(offset, offset + length),
    })
    const reason = (size: number) =>
      readInstance(sized(size), { limits: storedDicomLimits }).then(
        () => 'taken',
        (cause: unknown) => (cause instanceof DicomRefusal ? cause.reason : String(cause)),
      )
    expect([await reason(dicomLimits.inflatedBytes), await reason(dicomLimits.inflatedBytes + 1)]).toEqual([
      'taken',
      'TOO_LARGE',
    ])
  })
})
