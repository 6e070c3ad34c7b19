import { randomBytes } from 'node:crypto'
import { tag } from '@dmp/dicom'
import { findCommon, lengthenHeader, shortenHeader } from './commonHeader.ts'
import type { JsonDataset } from './jsonModel.ts'
import { isShortHeader, joinHeader, packHeader, unpackCommon, unpackHeader, unpackHeaderText } from './packedHeader.ts'

const own = (number: number): string => `own-${String(number * 7919).padStart(9, '0')}`
const headerOf = (number: number, more: JsonDataset = {}): JsonDataset => ({
  [tag.SOPInstanceUID]: { vr: 'UI', Value: [`1.2.840.99.4711.${number * 7919}`] },
  [tag.PatientName]: { vr: 'PN', Value: [{ Alphabetic: 'Müller^Jürgen', Ideographic: '穆勒^于尔根 𝒳' }] },
  [tag.SeriesDescription]: { vr: 'LO', Value: ['Thorax 1.0 mm, after contrast, arterial phase'] },
  '00324000': { vr: 'LT', Value: [own(number)] },
  '00181030': { vr: 'LO', Value: ['An abdominal protocol of which the name is as long as such names mostly are'] },
  ...more,
})
const pack = (number: number, more?: JsonDataset): Uint8Array => packHeader(headerOf(number, more))
const random = { '00091010': { vr: 'UN', InlineBinary: randomBytes(4000).toString('base64') } } as const

describe('headers without what they have in common', () => {
  it('are a fraction as long, and the same text again with it [P100]', () => {
    const headers = Array.from({ length: 50 }, (_, number) => pack(number, { ...random }))
    const common = findCommon([headers[0] ?? '', headers[49] ?? ''] as Uint8Array[])
    for (const header of headers) {
      const short = common && shortenHeader(header, common)
      if (!short) throw new Error('It should have been shortened.')
      expect([isShortHeader(short), isShortHeader(header), short.length < header.length / 8]).toEqual([
        true,
        false,
        true,
      ])
      expect(unpackHeaderText(joinHeader(common, short))).toBe(unpackHeaderText(header))
      expect(Buffer.from(lengthenHeader(joinHeader(common, short)))).toEqual(Buffer.from(header))
      expect(shortenHeader(short, common)).toBeUndefined()
    }
  })

  it('keep for themselves what only one of them says [P100]', () => {
    const common = findCommon([pack(1), pack(2)])
    const text = Buffer.from(unpackCommon(common ?? new Uint8Array())).toString()
    expect(text).toContain('Müller^Jürgen')
    for (const number of [1, 2]) {
      expect(text).not.toContain(own(number))
      expect(text).not.toContain(`1.2.840.99.4711.${number * 7919}`)
    }
  })

  it('stay whole where there is little in common, or next to nothing [P100]', () => {
    expect(findCommon([pack(1)])).toBeUndefined()
    expect(findCommon([packHeader({}), pack(2)])).toBeUndefined()
    const common = findCommon([pack(1), pack(2)]) ?? new Uint8Array()
    expect(shortenHeader(pack(3, { ...random }), common)).toBeUndefined()
    expect(shortenHeader(packHeader({}), common)).toBeUndefined()
  })

  it('are shorter too where they are longer than deflate looks back [P100]', () => {
    const long = Object.fromEntries(
      Array.from({ length: 60 }, (_, nth) => [
        `0009${String(1000 + nth)}`,
        { vr: 'LT', Value: [randomBytes(600).toString('hex')] },
      ]),
    ) as JsonDataset
    const common = findCommon([pack(1, long), pack(2, long)]) ?? new Uint8Array()
    expect(unpackCommon(common).length).toBeLessThanOrEqual(32 * 1024)
    const short = shortenHeader(pack(3, long), common)
    expect(unpackHeader(joinHeader(common, short ?? new Uint8Array()))).toEqual(headerOf(3, long))
  })

  it('are never read with what another series has in common, nor with a bit of it changed [P100]', () => {
    const common = findCommon([pack(1), pack(2)]) ?? new Uint8Array()
    const other = findCommon([pack(1, { '00080070': { vr: 'LO', Value: ['Other'] } }), pack(2)]) ?? new Uint8Array()
    const short = shortenHeader(pack(3), common) ?? new Uint8Array()
    expect(unpackHeader(joinHeader(common, short))).toEqual(headerOf(3))
    expect(Buffer.compare(unpackCommon(common), unpackCommon(other))).toBe(0)
    const foreign = findCommon([pack(1, { ...random }), pack(2, { ...random })]) ?? new Uint8Array()
    expect(() => unpackHeaderText(joinHeader(foreign, short))).toThrow()
    expect(() => unpackHeaderText(short)).toThrow()
    for (let at = 1; at < short.length; at += 1) {
      const changed = Buffer.from(short)
      changed[at] = (changed[at] ?? 0) ^ 0x10
      expect(() => unpackHeaderText(joinHeader(common, changed))).toThrow()
    }
  })
})
