import { CannotDeidentify } from './deidentify.ts'
import { clean } from './deidentifyInTests.ts'
import { datasetBytes, dicomFile, encapsulated, slice, text, u16, type Elements } from './testing/dicomFile.ts'

const hidden = 'Hidden^Person'
const [jpeg, jpegLs, jpeg2000, jpegXl, rle, mpeg4] = [
  '1.2.840.10008.1.2.4.50',
  '1.2.840.10008.1.2.4.80',
  '1.2.840.10008.1.2.4.90',
  '1.2.840.10008.1.2.4.110',
  '1.2.840.10008.1.2.5',
  '1.2.840.10008.1.2.4.102',
]

const without = (changes: Elements = {}): Elements =>
  Object.fromEntries(Object.entries(slice(changes)).filter(([tag]) => tag !== '7FE00010'))
const compressed = (
  transferSyntaxUID: string,
  fragments: readonly Buffer[],
  changes: Elements = {},
  table: number[] = [],
) =>
  dicomFile({
    transferSyntaxUID,
    dataset: Buffer.concat([datasetBytes(without(changes)), encapsulated(fragments, table)]),
  })

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
const segment = (code: number, content: Buffer): Buffer => {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(code)
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}
const remark = Buffer.from(`${hidden} ${hidden}`)
/** Scans whose coded bytes hold a stuffed FF, a restart, and in between everything that people may write into. */
const jpegStream = (tail = Buffer.alloc(0)): Buffer =>
  Buffer.concat([
    hex('ffd8'),
    segment(0xffe0, Buffer.concat([Buffer.from('JFIF\0'), hex('0102 00 0001 0001 00 00'), remark])),
    segment(0xffe1, Buffer.concat([Buffer.from('Exif\0\0'), remark])),
    segment(0xffee, Buffer.concat([Buffer.from('Adobe'), hex('0064 0000 0000 00')])),
    segment(0xfffe, remark),
    hex('ffff'),
    segment(0xffc0, hex('08 0004 0004 01 011100')),
    segment(0xffda, hex('01 0100 003f00')),
    hex('12 ff00 34 ffd0 56 ff00'),
    segment(0xfffe, remark),
    segment(0xffda, hex('01 0100 003f00')),
    hex('78 ffd7 ff00'),
    hex('ffd9'),
    tail,
  ])

describe('de-identified pixels [P22]', () => {
  it('loses remarks of JPEG, wherever a fragment is cut, and nothing that decoders read [P22]', async () => {
    const whole = jpegStream(Buffer.from(`\0${hidden}`))
    for (const cut of [whole.length, 40, 41, 101, 150]) {
      const fragments = [whole.subarray(0, cut), whole.subarray(cut)].filter(({ length }) => length > 0)
      const { bytes, report } = await clean(compressed(jpeg, fragments))
      expect(bytes.includes(hidden)).toBe(false)
      // Coded pixels, tables and colours are as they were, in their places.
      for (const kept of ['ffd8', '4a464946000102', '41646f6265', 'ffc0000b', '12ff0034ffd056ff00', '78ffd7ff00ffd9'])
        expect([cut, kept, bytes.includes(hex(kept)) || cut !== whole.length]).toEqual([cut, kept, true])
      expect([...report.counts.keys()].join()).toContain('remarks between compressed pixels')
      expect(bytes).toHaveLength(
        (
          await clean(
            compressed(
              jpeg,
              fragments.map((part) => Buffer.from(part)),
            ),
          )
        ).bytes.length,
      )
    }
  })

  it('loses remarks of JPEG-LS, whose coded bytes follow another rule [P22]', async () => {
    const stream = Buffer.concat([
      hex('ffd8'),
      segment(0xfff7, hex('08 0004 0004 01 011100')),
      segment(0xffda, hex('01 0100 000000')),
      hex('11 ff7f 22 ff00'),
      segment(0xfffe, remark),
      segment(0xffda, hex('01 0100 000000')),
      hex('33 ffd9'),
    ])
    const { bytes } = await clean(compressed(jpegLs, [stream]))
    expect([bytes.includes(hidden), bytes.includes(hex('11ff7f22ff00')), bytes.includes(hex('33ffd9'))]).toEqual([
      false,
      true,
      true,
    ])
  })

  const codeStream = (tilePartBytes: number): Buffer => {
    const comment = segment(0xff64, Buffer.concat([hex('0001'), remark]))
    const header = Buffer.concat([hex('0000'), Buffer.alloc(4), hex('00 01')])
    const data = hex('aabbccdd')
    const tile = Buffer.concat([segment(0xff90, header), comment, hex('ff93'), data])
    tile.writeUInt32BE(tilePartBytes === 0 ? 0 : tile.length, 6)
    return Buffer.concat([hex('ff4f'), segment(0xff51, Buffer.alloc(38)), comment, tile, hex('ffd9'), remark])
  }

  it.each([
    ['of stated length', 1],
    ['up to the end', 0],
  ])('loses remarks of JPEG 2000, tile-parts %s [P22]', async (_which, length) => {
    const { bytes } = await clean(compressed(jpeg2000, [codeStream(length)]))
    expect([bytes.includes(hidden), bytes.includes(hex('ff93aabbccddffd9'))]).toEqual([false, true])
  })

  it('loses boxes of JP2 and JPEG XL files that are not the image [P22]', async () => {
    const box = (type: string, content: Buffer): Buffer => {
      const head = Buffer.alloc(8)
      head.writeUInt32BE(content.length + 8)
      head.write(type, 4, 'latin1')
      return Buffer.concat([head, content])
    }
    const jp2 = [box('jP  ', hex('0d0a870a')), box('xml ', remark), box('jp2c', codeStream(1)), box('uuid', remark)]
    const jxl = [box('JXL ', hex('0d0a870a')), box('Exif', remark), box('jxlc', hex('ff0a1234')), box('jbrd', remark)]
    for (const [syntax, boxes, kept] of [
      [jpeg2000, jp2, 'ff93aabbccddffd9'],
      [jpegXl, jxl, 'ff0a1234'],
    ] as const) {
      const { bytes } = await clean(compressed(syntax, [Buffer.concat(boxes)]))
      expect([bytes.includes(hidden), bytes.includes('Exif'), bytes.includes(hex(kept))]).toEqual([false, false, true])
    }
  })

  it('loses what follows the runs of RLE, in front of and between segments [P22]', async () => {
    const head = Buffer.alloc(64)
    const runs = hex('f1 05') // Sixteen times 5.
    const gap = Buffer.concat([hex('80'), Buffer.from('Hidden^Person')])
    const offsets = [64 + 14, 64 + 14 + runs.length + gap.length]
    head.writeUInt32LE(2)
    offsets.forEach((offset, index) => head.writeUInt32LE(offset, 4 + index * 4))
    head.write('Hidden^Person', 20, 'latin1')
    const frame = Buffer.concat([head, Buffer.from('Hidden^Person '), runs, gap, runs, gap])
    const { bytes } = await clean(compressed(rle, [frame]))
    expect([bytes.includes(hidden), bytes.includes(Buffer.concat([runs, Buffer.alloc(14)]))]).toEqual([false, true])
  })

  it('loses an offset table that points nowhere, and keeps one that is right [P22]', async () => {
    const frames = [jpegStream(), jpegStream()]
    const two = { '00280008': text('IS', '2') }
    const right = [0, (frames[0]?.length ?? 0) + 8]
    const table = (bytes: Buffer) => bytes.readUInt32LE(bytes.indexOf(hex('e07f1000')) + 16)
    expect(table((await clean(compressed(jpeg, frames, two, right))).bytes)).toBe(8)
    expect(table((await clean(compressed(jpeg, frames, two, [0, 0x6e6f7347]))).bytes)).toBe(0)
  })

  const rleFrame = (offsets: readonly number[], runs: Buffer, segments = offsets.length): Buffer => {
    const head = Buffer.alloc(64)
    head.writeUInt32LE(segments)
    offsets.forEach((offset, index) => head.writeUInt32LE(offset, 4 + index * 4))
    return Buffer.concat([head, runs])
  }

  it.each([
    ['bytes as they are', `0f ${'05'.repeat(16)}`],
    ['the shortest runs', `ff 05 ${'00 05'.repeat(14)}`],
    ['the longest run of a row of pixels', 'f1 05'],
    ['bytes that mean nothing', '80 80 f1 05'],
  ])('loses what follows %s of RLE, and no pixel [P22]', async (_what, runs) => {
    const { bytes } = await clean(compressed(rle, [rleFrame([64], Buffer.concat([hex(runs), remark]))]))
    expect([bytes.includes(hidden), bytes.includes(Buffer.concat([hex(runs), Buffer.alloc(remark.length)]))]).toEqual([
      false,
      true,
    ])
  })

  it('takes as many segments of RLE as there may be [P22]', async () => {
    const offsets = Array.from({ length: 15 }, (_, at) => 64 + 2 * at)
    const runs = hex('f1 05'.repeat(15))
    expect((await clean(compressed(rle, [rleFrame(offsets, runs)]))).bytes.includes(runs)).toBe(true)
  })

  const run = hex('f1 05 f1 05')
  it.each([
    ['RLE without a segment', rle, rleFrame([], run)],
    ['RLE of more segments than there may be', rle, rleFrame([64], run, 16)],
    ['RLE whose segments go back', rle, rleFrame([66, 64], run)],
    ['RLE that begins inside of its own head', rle, rleFrame([63], run)],
    ['RLE that points behind its end', rle, rleFrame([64, 70], run)],
    ['RLE that is cut off in its head', rle, rleFrame([64], run).subarray(0, 60)],
    ['RLE of two bytes', rle, hex('0100')],
    ['a segment of JPEG that is shorter than its own length', jpeg, hex('ffd8 ffe0 0001 4869 ffd9')],
    ['a marker of JPEG that is none', jpeg, hex('ffd8 1234 0004 4869 ffd9')],
    ['a segment of JPEG 2000 that is shorter than its own length', jpeg2000, hex('ff4f ff64 0001 4869 ffd9')],
    ['a marker of JPEG 2000 that is none', jpeg2000, hex('ff4f 1234 0004 4869 ffd9')],
    ['a box that ends behind the image', jpegXl, hex('00000008 4a584c20 00000040 6a786c63 ff0a')],
    ['a box that is shorter than its head', jpegXl, hex('00000008 4a584c20 00000007 6a786c63 ff0a')],
    ['a long box that is shorter than its head', jpegXl, hex('00000008 4a584c20 00000001 6a786c63 0000000000000009')],
  ])('refuses %s, behind which nobody can look for remarks [P22]', async (_what, syntax, stream) => {
    await expect(clean(compressed(syntax, [stream]))).rejects.toThrow(CannotDeidentify)
  })

  it('loses boxes of any length, and what is too short for one [P22]', async () => {
    const long = (type: string, content: Buffer): Buffer => {
      const head = Buffer.alloc(16)
      head.writeUInt32BE(1)
      head.write(type, 4, 'latin1')
      head.writeUInt32BE(content.length + 16, 12)
      return Buffer.concat([head, content])
    }
    const first = hex('00000008 4a584c20')
    const image = long('jxlc', hex('ff0a 1234'))
    const toEnd = Buffer.concat([hex('00000000'), Buffer.from('Exif'), remark])
    for (const tail of [toEnd, long('Exif', remark), Buffer.from('Li Na')]) {
      const { bytes } = await clean(compressed(jpegXl, [Buffer.concat([first, image, tail])]))
      expect([bytes.includes(hidden), bytes.includes('Li Na'), bytes.includes(image)]).toEqual([false, false, true])
    }
  })

  it('refuses what does not follow its format, in a sentence [P22]', async () => {
    for (const syntax of [jpeg, jpegLs, jpeg2000, jpegXl, rle])
      await expect(clean(compressed(syntax, [Buffer.from('no picture at all'.padEnd(80))]))).rejects.toThrow(
        CannotDeidentify,
      )
  })

  it('refuses a video that repeats a fact as text, and warns of any other [P22]', async () => {
    const named = { '00100010': text('PN', 'Canarybird^Tilda') }
    const film = (title: string) => compressed(mpeg4, [Buffer.from(`\0\0\0\x01 title ${title} `)], named)
    await expect(clean(film('canarybird'))).rejects.toThrow('The video holds a name')
    expect([...(await clean(film('none'))).report.warnings].join()).toContain('A video may hold titles')
  })

  it('ends with the last pixel [P22]', async () => {
    const value = Buffer.concat([Buffer.alloc(32, 7), Buffer.from(hidden), Buffer.alloc(1)])
    const { bytes, instance, report } = await clean(dicomFile({ elements: slice({ '7FE00010': { vr: 'OW', value } }) }))
    expect([bytes.includes(hidden), instance.part10.pixelData?.length]).toEqual([false, 32])
    expect([...report.counts.keys()]).toContain('pixel data: bytes behind the last pixel removed')
    // Nine pixels of one byte, and one byte that makes them even.
    const odd = slice({
      '00280010': u16(3),
      '00280011': u16(3),
      '00280100': u16(8),
      '00280101': u16(8),
      '00280102': u16(7),
    })
    const nine = await clean(dicomFile({ elements: { ...odd, '7FE00010': { vr: 'OB', value: Buffer.alloc(10, 9) } } }))
    expect(nine.bytes.subarray(-10).toString('hex')).toBe('09'.repeat(9) + '00')
    expect([...nine.report.counts.keys()].join()).not.toContain('pixel data')
  })

  it('keeps every colour of a pixel where a writer says that two share one [P22]', async () => {
    const shape = { '00280002': u16(3), '00280004': text('CS', 'YBR_FULL_422'), '00280100': u16(8), '00280101': u16(8) }
    const bytesOf = async (length: number) =>
      (
        await clean(
          dicomFile({ elements: slice({ ...shape, '7FE00010': { vr: 'OB', value: Buffer.alloc(length, 3) } }) }),
        )
      ).instance.part10.pixelData?.length
    expect([await bytesOf(48), await bytesOf(32), await bytesOf(40)]).toEqual([48, 32, 32])
  })
})
