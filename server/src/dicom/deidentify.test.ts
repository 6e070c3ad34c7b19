import { readFileSync } from 'node:fs'
import { acquisitionDate } from '../modules/scan/reading/scan.entities.ts'
import { items, name, text as textOf } from './attributes.ts'
import { CannotDeidentify, copyUnderNewUids, deidentify, newReport } from './deidentify.ts'
import { ruleOf, tableSize } from './deidentifyTable.ts'
import { elementBytes, itemBytes, part10Start, type RawElement } from './elementWriter.ts'
import type { JsonDataset } from './jsonModel.ts'
import { readInstanceBytes, type Instance } from './read.ts'
import { rewrittenBytes } from './rewrite.ts'
import {
  datasetBytes,
  dicomFile,
  encapsulated,
  explicitLittle,
  slice,
  text,
  type Elements,
} from './testing/dicomFile.ts'
import { sampleObjects } from './sampleObjects.ts'
import { uidMapper } from './uidMap.ts'

const secret = Buffer.from('a secret of one transfer')
const CANARY = 'Canarybird'

async function clean(
  bytes: Buffer,
  report = newReport(),
): Promise<{ bytes: Buffer; instance: Instance; report: typeof report }> {
  const instance = await readInstanceBytes(bytes)
  const chunks: Buffer[] = []
  for await (const chunk of rewrittenBytes(instance, await deidentify(instance, secret, report))) chunks.push(chunk)
  const out = Buffer.concat(chunks)
  return { bytes: out, instance: await readInstanceBytes(out), report }
}

const cleaned = async (changes: Elements): Promise<JsonDataset> =>
  (await clean(dicomFile({ elements: slice(changes) }))).instance.header
const canary = (vr: string): RawElement => text(vr, CANARY)
const named = (changes: Elements): Elements => ({ '00100010': text('PN', `${CANARY}^Tilda`), ...changes })

describe('de-identified means de-identified [P22]', () => {
  const places: ReadonlyArray<readonly [where: string, changes: Elements]> = [
    ['the patient’s name', {}],
    ['other names', { '00101001': canary('PN') }],
    ['birth name and mother’s name', { '00101005': canary('PN'), '00101060': canary('PN') }],
    ['address and telephone', { '00101040': canary('LO'), '00102154': canary('SH') }],
    ['comments', { '00104000': canary('LT'), '00204000': canary('LT'), '00324000': canary('LT') }],
    ['descriptions of study and series', { '00081030': canary('LO'), '0008103E': canary('LO') }],
    [
      'people of the hospital',
      { '00080090': canary('PN'), '00081050': canary('PN'), '00081070': canary('PN'), '00321032': canary('PN') },
    ],
    [
      'places',
      { '00080080': canary('LO'), '00080081': canary('ST'), '00081010': canary('SH'), '00081040': canary('LO') },
    ],
    [
      'numbers of orders and visits',
      { '00080050': canary('SH'), '00402017': canary('LO'), '00380010': canary('LO'), '00200010': canary('SH') },
    ],
    ['the protocol', { '00181030': canary('LO') }],
    ['a private attribute', { '00090010': text('LO', 'ACME'), '00091001': canary('LO') }],
    ['a private sequence', { '00090010': text('LO', 'ACME'), '00091002': [{ '00100010': canary('PN') }] }],
    [
      'an item',
      {
        '00081140': [
          {
            '00081150': text('UI', '1.2.840.10008.5.1.4.1.1.2'),
            '00081155': text('UI', '9.8.7'),
            '0008103E': canary('LO'),
          },
        ],
      },
    ],
    ['an item of an item', { '00089215': [{ '0040A170': [{ '00102180': canary('SH'), '00081070': canary('PN') }] }] }],
    ['the request', { '00400275': [{ '00321060': canary('LO'), '00400007': canary('LO') }] }],
    ['original attributes', { '04000561': [{ '04000550': [{ '00100010': canary('PN') }] }] }],
    ['an overlay', { '60003000': { vr: 'OB', value: Buffer.from(`${CANARY} drawn `) }, '60004000': canary('LT') }],
    ['a curve', { '50003000': { vr: 'OB', value: Buffer.from(CANARY) } }],
    ['an icon', { '00880200': [{ '00280010': text('LO', CANARY) }] }],
    ['a place of the photograph', { '00160072': canary('DS'), '0016004D': canary('LO') }],
    ['unknown attributes', { '00087777': canary('LO') }],
    ['attributes of unknown kind', { '00187777': { vr: 'UN', value: Buffer.from(CANARY) } }],
    ['an attribute where no name belongs', { '00081090': text('LO', `Scanner of ${CANARY.toUpperCase()}`) }],
    [
      'a code’s meaning',
      {
        '00082218': [
          { '00080100': text('SH', 'T-1'), '00080102': text('SH', 'SRT'), '00080104': text('LO', `Knee of ${CANARY}`) },
        ],
      },
    ],
    ['a binary attribute', { '00282000': { vr: 'OB', value: Buffer.from(`ICC ${CANARY}`) } }],
    ['UTF-16 in a binary attribute', { '00282000': { vr: 'OB', value: Buffer.from(CANARY, 'utf16le') } }],
    ['a colour table', { '00281221': { vr: 'OW', value: Buffer.from(`${CANARY}  `) } }],
  ]
  it.each(places)('no byte of the copy holds the name from %s [P22]', async (_where, changes) => {
    const { bytes } = await clean(dicomFile({ elements: slice(named(changes)) }))
    for (const encoding of ['latin1', 'utf16le'] as const)
      expect(bytes.toString(encoding).toLowerCase()).not.toContain(CANARY.toLowerCase())
  })

  it('looks for names of four letters, and not for shorter ones or for what stands where no name is [P22]', async () => {
    const of = async (patient: string, word: string) =>
      textOf(await cleaned({ '00100010': text('PN', patient), '00081090': text('LO', word) }), '00081090')
    expect([await of('Ruth^Anonymous', 'RUTH'), await of('Ruth^Anonymous', 'Truthful')]).toEqual([null, null])
    expect([await of('Kim^Anonymous', 'Kimono'), await of('Kim^Anonymous', 'anonymous')]).toEqual([
      'Kimono',
      'anonymous',
    ])
    // An address is looked at as long as it is no longer than this.
    const long = await cleaned({
      '00101040': text('LT', 'Lindenstrasse '.padEnd(4096, 'x')),
      '00081090': text('LO', 'Lindenstrasse'),
    })
    expect(textOf(long, '00081090')).toBeNull()
  })

  it('forgets preamble and file meta information [P22]', async () => {
    const file = dicomFile()
    file.write(CANARY, 0)
    const { bytes } = await clean(file)
    expect(bytes.subarray(0, 128).every((byte) => byte === 0)).toBe(true)
  })

  it('forgets what follows the pixel data [P22]', async () => {
    const trailing = elementBytes('FFFCFFFC', { vr: 'OB', value: Buffer.from(CANARY) }, explicitLittle)
    const { bytes } = await clean(Buffer.concat([dicomFile(), trailing]))
    expect(bytes.includes(CANARY)).toBe(false)
    const deflated = await clean(
      dicomFile({
        transferSyntaxUID: '1.2.840.10008.1.2.1.99',
        dataset: Buffer.concat([datasetBytes(slice()), trailing]),
      }),
    )
    expect((await deflated.instance.part10.source.read(0, 2 ** 20)).includes(CANARY)).toBe(false)
    expect(deflated.instance.part10.pixelData?.length).toBe(32)
  })

  it('keeps no date or time of the patient or the visit [P22]', async () => {
    const dates = {
      '00080020': text('DA', '20240506'),
      '00080021': text('DA', '20240506'),
      '00080022': text('DA', '20240506'),
      '00080023': text('DA', '20240506'),
      '0008002A': text('DT', '20240506101112'),
      '00100030': text('DA', '19700102'),
      '00080012': text('DA', '20240506'),
      '00400244': text('DA', '20240506'),
    }
    const { bytes } = await clean(dicomFile({ elements: slice(dates) }))
    expect(bytes.toString('latin1')).not.toMatch(/20240506|19700102/)
  })

  it('puts a dummy where an object must have a date, and nobody takes it for one [P22, 3.12]', async () => {
    const dated = { '00080021': text('DA', '20240506'), '00080031': text('TM', '101112') }
    const plain = await cleaned(dated)
    expect([textOf(plain, '00080021'), acquisitionDate(plain)]).toEqual([null, null])
    const pet = dicomFile({
      elements: slice({ ...dated, '00080016': text('UI', '1.2.840.10008.5.1.4.1.1.128') }),
      start: metaFor('1.2.840.10008.5.1.4.1.1.128'),
    })
    const { header } = (await clean(pet)).instance
    expect([textOf(header, '00080021'), acquisitionDate(header)]).toEqual(['19000101', null])
  })

  it('gives the same new UID to the same old one, in items too, and leaves the UIDs of DICOM itself [P22]', async () => {
    const header = await cleaned({
      '00081140': [{ '00081150': text('UI', '1.2.840.10008.5.1.4.1.1.2'), '00081155': text('UI', '1.2.3.4.5') }],
      '00200052': text('UI', '1.2.3.99'),
    })
    const map = uidMapper(secret)
    expect(textOf(header, '00080018')).toBe(map('1.2.3.4.5'))
    const [reference] = items(header, '00081140')
    expect([textOf(reference ?? {}, '00081155'), textOf(reference ?? {}, '00081150')]).toEqual([
      map('1.2.3.4.5'),
      '1.2.840.10008.5.1.4.1.1.2',
    ])
    // What is said of the whole object is not said again of its items.
    expect([textOf(header, '00120062'), reference?.['00120062']]).toEqual(['YES', undefined])
    expect(textOf(header, '00200052')).toBe(map('1.2.3.99'))
    expect(textOf(header, '00080016')).toBe('1.2.840.10008.5.1.4.1.1.2')
  })

  it('makes UIDs that are UIDs, differ by transfer and cannot be guessed [P22]', () => {
    const map = uidMapper(secret)
    const made = Array.from({ length: 500 }, (_, index) => map(`1.2.3.${index}`))
    expect(new Set(made).size).toBe(500)
    for (const uid of made) expect(uid).toMatch(/^2\.25\.[1-9]\d{30,38}$/)
    expect(uidMapper(Buffer.from('another'))('1.2.3.1')).not.toBe(map('1.2.3.1'))
  })

  it('says that it was done, by which method, and names the patient by a pseudonym [P22]', async () => {
    const header = await cleaned({})
    expect([textOf(header, '00120062'), textOf(header, '00120063')]).toEqual([
      'YES',
      'DICOM PS3.15 Annex E Basic Profile',
    ])
    expect(textOf(items(header, '00120064')[0] ?? {}, '00080100')).toBe('113100')
    expect(name(header, '00100010')).toMatch(/^ANON-[0-9A-F]{10}$/)
    expect(textOf(header, '00100020')).toBe(name(header, '00100010'))
  })

  it('warns of text in the pixels and never calls them clean [P22]', async () => {
    const warnings = async (changes: Elements) => [
      ...(await clean(dicomFile({ elements: slice(changes) }))).report.warnings,
    ]
    expect((await warnings({ '00280301': text('CS', 'YES') })).join()).toContain('burned into')
    expect((await warnings({ '00080060': text('CS', 'US') })).join()).toContain('often have text')
    expect(await warnings({ '00080060': text('CS', 'US'), '00280301': text('CS', 'NO') })).toEqual([])
    expect((await cleaned({}))['00280301']).toBeUndefined()
  })

  it('warns of faces where images show the head in slices [P22]', async () => {
    const warnings = async (modality: string, part: string) => [
      ...(
        await clean(dicomFile({ elements: slice({ '00080060': text('CS', modality), '00180015': text('CS', part) }) }))
      ).report.warnings,
    ]
    const face = ['A face can be reconstructed from images of the head.']
    for (const modality of ['CT', 'MR', 'PT'])
      expect([modality, await warnings(modality, 'BRAIN')]).toEqual([modality, face])
    expect([await warnings('CT', 'KNEE'), await warnings('DX', 'SKULL')]).toEqual([[], []])
  })

  it('refuses documents instead of guessing [P22]', async () => {
    const elements = slice({
      '00080016': text('UI', '1.2.840.10008.5.1.4.1.1.104.1'),
      '00420011': { vr: 'OB', value: Buffer.from('%PDF-1.7') },
    })
    for (const tag of ['7FE00010', '00280010', '00280011', '00280100']) delete elements[tag]
    const instance = await readInstanceBytes(
      Buffer.concat([metaFor('1.2.840.10008.5.1.4.1.1.104.1'), datasetBytes(elements)]),
    )
    await expect(deidentify(instance, secret, newReport())).rejects.toThrow(CannotDeidentify)
  })

  it('reports what was removed by which rule, without values [P22]', async () => {
    const { report } = await clean(
      dicomFile({ elements: slice(named({ '00081030': canary('LO'), '00087777': canary('LO') })) }),
    )
    const lines = [...report.done.keys()]
    expect(lines).toContain('(0008,1030) StudyDescription: removed by PS3.15 E.1-1 X')
    expect(lines).toContain('(0008,7777) unknown: removed by not in the dictionary, so nobody can judge it')
    expect(lines).toContain('(0008,0020) StudyDate: emptied by PS3.15 E.1-1 Z')
    // Of UIDs, those that were replaced: what DICOM itself named is as it was.
    expect(
      lines
        .filter((line) => line.endsWith('E.1-1 U'))
        .map((line) => line.slice(0, 11))
        .sort(),
    ).toEqual(['(0008,0018)', '(0020,000D)', '(0020,000E)'])
    expect(lines.join()).not.toContain(CANARY)
  })

  it('counts over all objects how often each rule was followed [P22]', async () => {
    const report = newReport()
    for (let object = 1; object <= 3; object += 1)
      await clean(
        dicomFile({
          elements: slice(named({ '00081030': canary('LO'), '00091001': canary('LO'), '00091002': canary('LO') })),
        }),
        report,
      )
    expect(report.done.get('(0008,1030) StudyDescription: removed by PS3.15 E.1-1 X')).toBe(3)
    expect(report.done.get('private attributes: removed by PS3.15 E.1-1 X')).toBe(6)
  })

  it('knows the whole table of the standard [P22]', () => {
    // The UIDs of the table (action U) are not listed: every UID is judged by its value.
    expect(tableSize).toBeGreaterThan(480)
    for (const tag of ['00100010', '00080080', '0040A730', '300A0002', '30060002', '00181030', '00102160', '60023000'])
      expect(ruleOf(tag)).toBeDefined()
    for (const tag of ['00280010', '00180050', '00200032', '00081150']) expect(ruleOf(tag)).toBeUndefined()
  })
})

const metaFor = (sopClassUID: string): Buffer =>
  part10Start({ sopClassUID, sopInstanceUID: '1.2.3.4.5', transferSyntaxUID: '1.2.840.10008.1.2.1' })

describe('real objects [P22]', () => {
  const distinct = sampleObjects().filter((path) => !path.includes('papaya') && !/brain_0(0[2-9]|1\d|20)/.test(path))
  it.each(distinct.map((path) => [path.split('/').at(-1), path]))(
    '%s: readable, anonymous, pixels untouched [P22]',
    async (_file, path) => {
      const bytes = readFileSync(path ?? '')
      const before = await readInstanceBytes(bytes)
      const { bytes: after, instance } = await clean(bytes)
      const pixelsOf = async ({ part10 }: Instance) =>
        part10.pixelData &&
        (await part10.source.read(part10.pixelData.valueOffset, part10.pixelData.length ?? 1_000_000))
      const [old, fresh] = await Promise.all([pixelsOf(before), pixelsOf(instance)])
      if (before.part10.pixelData?.length === undefined)
        expect(fresh?.subarray(0, 4096).equals(old?.subarray(0, 4096) ?? Buffer.alloc(0))).toBe(true)
      else expect(fresh?.equals(old ?? Buffer.alloc(0))).toBe(true)
      for (const tag of ['00080018', '0020000D', '0020000E']) {
        const uid = textOf(before.header, tag) ?? ''
        if (uid.length > 12) expect(after.includes(`${uid}\0`) || after.includes(`${uid} `)).toBe(false)
      }
      const patient = (textOf(before.header, '00100020') ?? '').trim()
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
    const chunks: Buffer[] = []
    for await (const chunk of rewrittenBytes(instance, await copyUnderNewUids(instance, secret))) chunks.push(chunk)
    const copy = await readInstanceBytes(Buffer.concat(chunks))
    expect(
      [file, copy.part10.header].map((bytes) => bytes.includes(Buffer.from('UL\x04\0\x09\x09\x09\x09', 'latin1'))),
    ).toEqual([true, false])
    expect([textOf(copy.header, '00081030'), name(copy.header, '00100010')]).toEqual(['Knee', 'Tester, Tilda'])
    expect([copy.sopInstanceUID, copy.studyUID]).toEqual([uidMapper(secret)('1.2.3.4.5'), uidMapper(secret)('1.2.3')])
  })

  it('leaves the items of an unknown sequence in the encoding that they are always written in', async () => {
    const implicit = elementBytes('00080100', text('SH', 'kept'), { isExplicit: false, isBigEndian: false })
    const unknown = Buffer.concat([
      Buffer.from([0x09, 0, 0x01, 0x10, 0x55, 0x4e, 0, 0, 0xff, 0xff, 0xff, 0xff]),
      itemBytes(implicit, false),
      Buffer.from([0xfe, 0xff, 0xdd, 0xe0, 0, 0, 0, 0]),
    ])
    const instance = await readInstanceBytes(dicomFile({ dataset: Buffer.concat([unknown, datasetBytes(slice())]) }))
    const { head } = await copyUnderNewUids(instance, secret)
    expect(head.includes(implicit)).toBe(true)
  })

  it('copies the fragments of compressed pixels as they are', async () => {
    const without = Object.fromEntries(Object.entries(slice(named({}))).filter(([tag]) => tag !== '7FE00010'))
    const pixels = encapsulated([Buffer.from('\xff\xd8fragment', 'latin1'), Buffer.alloc(64, 7)])
    const { bytes } = await clean(
      dicomFile({
        transferSyntaxUID: '1.2.840.10008.1.2.4.50',
        dataset: Buffer.concat([datasetBytes(without), pixels]),
      }),
    )
    expect(bytes.subarray(-pixels.length).equals(pixels)).toBe(true)
  })
})
