import { itemBytes } from '@dmp/dimse/elementWriter'
import { readInstanceBytes } from './instance.ts'
import { datasetBytes, dicomFile, encapsulated, slice, text, type Elements } from './testing/dicomFile.ts'

const emptyItem = itemBytes(Buffer.alloc(0), false)
const compressed = (pixels: Buffer): Buffer => {
  const { '7FE00010': _pixels, ...header }: Elements = slice()
  return dicomFile({
    transferSyntaxUID: '1.2.840.10008.1.2.4.50',
    dataset: Buffer.concat([datasetBytes(header), pixels]),
  })
}

describe('values', () => {
  const header = async (tag: string, vr: string, value: Buffer) =>
    (await readInstanceBytes(dicomFile({ elements: slice({ [tag]: { vr, value } }) }))).header[tag]
  const bytes = (numbers: ArrayBufferView): Buffer =>
    Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength)

  it.each([
    ['US', new Uint16Array([1, 65_535]), [1, 65_535]],
    ['SS', new Int16Array([-1, 2]), [-1, 2]],
    ['UL', new Uint32Array([1, 4_294_967_295]), [1, 4_294_967_295]],
    ['SL', new Int32Array([-1, 2]), [-1, 2]],
    ['FL', new Float32Array([0.5, -2]), [0.5, -2]],
    ['FD', new Float64Array([0.1, -2]), [0.1, -2]],
    ['SV', new BigInt64Array([-1n, 2n]), ['-1', '2']],
    ['UV', new BigUint64Array([1n, 2n]), ['1', '2']],
    ['AT', new Uint16Array([0x10, 0x20, 0x20, 0x0d]), ['00100020', '0020000D']],
  ])('of %s are numbers, however many there are [3.13]', async (vr, numbers, Value) => {
    expect(await header('00091010', vr, bytes(numbers))).toEqual({ vr, Value })
  })

  it('of 64 bits hide nothing of what follows them, in items as well [3.13, P12]', async () => {
    const number = { vr: 'UV', value: bytes(new BigUint64Array([7n])) }
    const elements = slice({
      '00089215': [{ '00091010': number, '0040A170': [{ '00091011': number, '00102180': text('SH', 'kept') }] }],
      '00091010': number,
    })
    const { header, part10 } = await readInstanceBytes(dicomFile({ elements }))
    const inner = { '00091011': { vr: 'UV', Value: ['7'] }, '00102180': { vr: 'SH', Value: ['kept'] } }
    expect(header['00089215']?.Value).toEqual([
      { '00091010': { vr: 'UV', Value: ['7'] }, '0040A170': { vr: 'SQ', Value: [inner] } },
    ])
    expect([header['00091010']?.Value, header['00280010']?.Value, part10.header.includes('UV')]).toEqual([
      ['7'],
      [4],
      true,
    ])
  })

  it('of the table of long films are read, and so is what follows it [3.13]', async () => {
    const table = {
      '7FE00001': { vr: 'OV', value: bytes(new BigUint64Array([0n])) },
      '7FE00002': { vr: 'OV', value: bytes(new BigUint64Array([8n])) },
    }
    const { header } = await readInstanceBytes(
      compressed(Buffer.concat([datasetBytes(table), encapsulated([Buffer.alloc(8)])])),
    )
    expect([header['7FE00001']?.InlineBinary, header['7FE00002']?.InlineBinary]).toEqual([
      'AAAAAAAAAAA=',
      'CAAAAAAAAAA=',
    ])
  })

  it('that are missing are left out, of whatever kind they are [3.13]', async () => {
    for (const vr of ['LO', 'OB', 'US', 'SQ']) expect(await header('00091010', vr, Buffer.alloc(0))).toEqual({ vr })
    expect(await header('00091010', 'LO', Buffer.from('  '))).toEqual({ vr: 'LO' })
  })

  it('that a writer calls unknown are read as what everybody knows them for, but for sequences [3.13]', async () => {
    expect(await header('00180015', 'UN', Buffer.from('KNEE'))).toEqual({ vr: 'CS', Value: ['KNEE'] })
    expect(await header('00081140', 'UN', emptyItem)).toEqual({ vr: 'UN', InlineBinary: emptyItem.toString('base64') })
  })

  it('that are binary or long stay with the object, and are named by address [3.13]', async () => {
    expect(await header('00091010', 'OB', Buffer.alloc(4096))).toEqual({
      vr: 'OB',
      InlineBinary: Buffer.alloc(4096).toString('base64'),
    })
    expect(await header('00091010', 'OB', Buffer.alloc(4098))).toEqual({ vr: 'OB', BulkDataURI: 'bulkdata/00091010' })
    expect((await header('00091010', 'UT', Buffer.alloc(65_536, 'x')))?.Value).toEqual(['x'.repeat(65_536)])
    expect(await header('00091010', 'UT', Buffer.alloc(65_538, 'x'))).toEqual({
      vr: 'UT',
      BulkDataURI: 'bulkdata/00091010',
    })
  })
})
