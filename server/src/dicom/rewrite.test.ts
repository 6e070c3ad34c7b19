import { readFileSync } from 'node:fs'
import { elementBytes, itemBytes } from '@dmp/dimse/elementWriter'
import { name, text as readText } from './attributes.ts'
import { copyUnderNewUids } from './deidentify.ts'
import { readInstanceBytes, type Instance } from './instance.ts'
import { readRewritten } from './rewrite.ts'
import { datasetBytes, dicomFile, encapsulated, slice, text } from './testing/dicomFile.ts'
import { sampleObjects } from './sampleObjects.ts'
import { createUidMapper } from './uidMap.ts'
import { secret, clean, withHiddenName } from './deidentifyInTests.ts'

describe('real objects [P22]', () => {
  const distinct = sampleObjects().filter((path) => !path.includes('papaya') && !/brain_0(0[2-9]|1\d|20)/.test(path))
  it.each(distinct.map((path) => [path.split('/').at(-1), path]))(
    '%s: readable, anonymous, pixels untouched [P22]',
    async (_file, path) => {
      const bytes = readFileSync(path ?? '')
      const original = await readInstanceBytes(bytes)
      const { bytes: copiedBytes, instance } = await clean(bytes)
      const readPixels = async ({ part10 }: Instance) =>
        part10.pixelData &&
        (await part10.source.read(part10.pixelData.valueOffset, part10.pixelData.length ?? 1_000_000))
      const [originalPixels, copiedPixels] = await Promise.all([readPixels(original), readPixels(instance)])
      // Remarks of compressed pixels are blanked in their places; every other byte is as it was.
      const changed = [...(copiedPixels ?? [])].filter((byte, at) => byte !== originalPixels?.[at])
      expect((originalPixels?.length ?? 0) - (copiedPixels?.length ?? 0)).toBeLessThan(200)
      expect(changed.filter((byte) => byte !== 0 && byte !== 0x20)).toEqual([])
      expect(changed.length).toBeLessThan(400)
      for (const tag of ['00080018', '0020000D', '0020000E']) {
        const uid = readText(original.header, tag) ?? ''
        if (uid.length > 12) expect(copiedBytes.includes(`${uid}\0`) || copiedBytes.includes(`${uid} `)).toBe(false)
      }
      const patient = (readText(original.header, '00100020') ?? '').trim()
      if (patient.length > 4) expect(JSON.stringify(instance.header)).not.toContain(patient)
      expect(Object.keys(instance.header).filter((tag) => parseInt(tag.slice(0, 4), 16) % 2 === 1)).toEqual([])
    },
  )

  it('copies under new UIDs without changing anything else when asked to', async () => {
    // Lengths of groups, which the new UIDs make wrong, are left out.
    const file = dicomFile({
      elements: slice({
        '00080000': { vr: 'UL', value: Buffer.alloc(4, 9) },
        '00081030': text('LO', 'Knee'),
        '00091001': text('LO', 'kept'),
      }),
    })
    const instance = await readInstanceBytes(file)
    const chunks: Uint8Array[] = []
    for await (const chunk of readRewritten(instance.part10.source, await copyUnderNewUids(instance, secret)))
      chunks.push(chunk)
    const copy = await readInstanceBytes(Buffer.concat(chunks))
    expect(
      [file, copy.part10.header].map((bytes) => bytes.includes(Buffer.from('UL\x04\0\x09\x09\x09\x09', 'latin1'))),
    ).toEqual([true, false])
    expect([readText(copy.header, '00081030'), name(copy.header, '00100010')]).toEqual(['Knee', 'Tester, Tilda'])
    expect([copy.sopInstanceUID, copy.studyUID]).toEqual([
      createUidMapper(secret)('1.2.3.4.5'),
      createUidMapper(secret)('1.2.3'),
    ])
  })

  it('leaves the items of an unknown sequence in the encoding that they are always written in', async () => {
    const implicit = elementBytes('00080100', text('SH', 'kept'), { isExplicit: false, isBigEndian: false })
    const unknown = Buffer.concat([
      Buffer.from([0x09, 0, 0x01, 0x10, 0x55, 0x4e, 0, 0, 0xff, 0xff, 0xff, 0xff]),
      itemBytes(implicit, false),
      Buffer.from([0xfe, 0xff, 0xdd, 0xe0, 0, 0, 0, 0]),
    ])
    const instance = await readInstanceBytes(dicomFile({ dataset: Buffer.concat([unknown, datasetBytes(slice())]) }))
    const { dataset } = await copyUnderNewUids(instance, secret)
    expect(Buffer.from(dataset).includes(implicit)).toBe(true)
  })

  it('copies the fragments of compressed pixels as they are', async () => {
    const without = Object.fromEntries(Object.entries(slice(withHiddenName({}))).filter(([tag]) => tag !== '7FE00010'))
    const pixels = encapsulated([
      Buffer.from('ffd8ffda0002070707', 'hex'),
      Buffer.alloc(64, 7),
      Buffer.from('ffd9', 'hex'),
    ])
    const { bytes } = await clean(
      dicomFile({
        transferSyntaxUID: '1.2.840.10008.1.2.4.50',
        dataset: Buffer.concat([datasetBytes(without), pixels]),
      }),
    )
    expect(bytes.subarray(-pixels.length).equals(pixels)).toBe(true)
  })
})
