import { elementBytes, itemBytes, type RawElement } from '@dmp/dimse/elementWriter'
import { text as readText } from './attributes.ts'
import { clean, cleaned } from './deidentifyInTests.ts'
import { dicomFile, slice, text, type Elements } from './testing/dicomFile.ts'

/** The station's model: an attribute that no rule names, and that anybody may write. */
const model = '00081090'
const modelOf = async (value: string | RawElement, changes: Elements) =>
  readText(await cleaned({ ...changes, [model]: typeof value === 'string' ? text('LO', value) : value }), model)

const person = (name: string, charset = 'ISO_IR 192'): Elements => ({
  '00080005': text('CS', charset),
  '00100010': text('PN', name),
})

describe('what a copy must not repeat, wherever somebody wrote it [P22]', () => {
  it.each([
    ['Li^Na', 'Scan of Li Na'],
    ['Li^Na', 'NA, LI'],
    ['Li^Na', 'li_na_2'],
    ['Li^Na', 'LiNa'],
    ['Li^Na', 'Dr. Li'],
    ['Li^Na', 'Li'],
    ['Ng', 'Mr Ng'],
    ['Müller^Zoë', 'Muller'],
    ['Müller^Zoë', 'MUELLER'],
    ['Mueller^Zoe', 'Müller'],
    ['Łukasiewicz^Jan', 'lukasiewicz'],
    ['Meier-Lüdenscheidt^Eva', 'Ludenscheidt'],
    ['O’Connor^Siân', 'OConnor Sian'],
    ['Wang^Xiaodong=王^小东', '扫描王小东'],
    ['Wang^Xiaodong=王^小东', '小东'],
    ['Ruth^Anonymous', 'truthful'],
  ])('a name, by whole, half or unaccented: %s in "%s" [P22]', async (name, written) => {
    expect(await modelOf(written, person(name))).toBeNull()
  })

  it.each([
    ['Li^Na', 'Lithium'],
    ['Li^Na', 'China Line'],
    ['Kim^Anonymous', 'Kimono'],
    ['Müller^Zoë', 'Mull 3000'],
  ])('leaves what only resembles a name: %s in "%s" [P22]', async (name, written) => {
    expect(await modelOf(written, person(name))).toBe(written)
  })

  it.each([
    '1977-12-31',
    '1977.12.31',
    '1977/12/31',
    '19771231',
    '31.12.1977',
    '31/12/1977',
    '12/31/1977',
    '31-12-77',
    '31.12.77',
    '31 Dec 1977',
    '31-DEC-1977',
    'Dec 31, 1977',
    'December 31st, 1977',
    '31. Dezember 1977',
    '31 décembre 1977',
    '31 de diciembre de 1977',
    '1977年12月31日',
    'born 1977-12-31T10:00',
    '771231',
  ])('a date of the object, written as "%s" [P22]', async (written) => {
    const born = { '00100030': text('DA', '19771231') }
    expect(await modelOf(`Model ${written} x`, { ...born, '00080005': text('CS', 'ISO_IR 192') })).toBeNull()
  })

  it('any date with a whole year, and no version of a machine [P22]', async () => {
    expect(await modelOf('seen on 5 March 2011', {})).toBeNull()
    for (const kept of ['VB17A', 'Version 12.4.1', 'syngo 2004', '3.0.1.1977'])
      expect(await modelOf(kept, {})).toBe(kept)
  })

  it.each(['20110305', '25032011', '03152011', '201103051030', '20110305103000', '2011.3.5', '5 3 2011', '3/15/2011'])(
    'any date without its own words: "%s" [P22]',
    async (written) => expect(await modelOf(`Model ${written}`, {})).toBeNull(),
  )

  it.each([
    '20111305',
    '20110332',
    '32132011',
    '13322011',
    '2011030510',
    '2011.13.5',
    '2011.3.32',
    '3.32.2011',
    '32.3.2011',
    '13.13.2011',
  ])('leaves numbers that are no date: "%s" [P22]', async (written) =>
    expect(await modelOf(`Model ${written}`, {})).toBe(`Model ${written}`),
  )

  it.each([
    // Of a family name of one letter only the pair is found, and a given name of one letter is no fact.
    ['U^O', 'U O', null],
    ['U^O', 'UO', 'UO'],
    ['Meier^J^K', 'J K 3000', 'J K 3000'],
    ['Li^N', 'N. Li', null],
  ])('short names with the words beside them: %s in "%s" is %s [P22]', async (name, written, left) => {
    expect(await modelOf(written, person(name))).toBe(left)
  })

  it('numbers of measurements that are a whole number of the patient [P22]', async () => {
    const numbers = {
      '00100020': text('LO', '4821'),
      '00080050': text('SH', '934-7711'),
      '00100030': text('DA', '19771231'),
    }
    const left = async (written: string) =>
      readText(await cleaned({ ...numbers, '00180088': text('DS', written) }), '00180088')
    for (const written of ['4821', '9347711', '311277']) expect([written, await left(written)]).toEqual([written, null])
    expect(await left('48.5')).toBe('48.5')
  })

  it('leaves what says of a patient only that it is none, UIDs of the standard, and short numbers [P22]', async () => {
    expect(await modelOf('Demo 3000', { '00100020': text('LO', 'DEMO') })).toBe('Demo 3000')
    for (const kept of ['for 1.2.840.10008.5.1.4.1.1.2', '7.7.7.7.7']) expect(await modelOf(kept, {})).toBe(kept)
    expect(await modelOf('7.7.7.7.7.7', {})).toBeNull()
  })

  it('judges a code and a text by themselves, though both say the same [P22]', async () => {
    const both = { '00180015': text('CS', 'LI'), '00181020': text('LO', 'LI') }
    const header = await cleaned({ ...person('Li^Na'), ...both })
    expect([readText(header, '00180015'), readText(header, '00181020')]).toEqual(['LI', null])
  })

  it('empties a single code that repeats a fact, and takes a text by the kind that the standard gives it [P22]', async () => {
    const header = await cleaned({
      ...person('Canary^Eva'),
      '00180015': text('CS', 'CANARY'),
      '00281351': text('LO', 'Nothing known of her'),
    })
    expect([readText(header, '00180015'), readText(header, '00281351')]).toEqual([null, null])
  })

  it.each(['see 1.2.3.4.5 there', 'https://pacs/studies/1.2.3/', 'copy of 1.3.46.670589.11.0.99.3'])(
    'a UID in a text: %s [P22]',
    async (written) => expect(await modelOf(written, {})).toBeNull(),
  )

  it('numbers without what separates their digits [P22]', async () => {
    const numbers = {
      '00100020': text('LO', 'PID-48213377'),
      '00080050': text('SH', 'A9347711'),
      '00102154': text('SH', '+49 30 555 0171'),
      '00400275': [{ '00401001': text('SH', 'RQ-77123') }],
    }
    for (const written of ['pid 48213377', '482-133-77', 'A 934 77 11', '030/5550171 or 49305550171', 'rq_77123'])
      expect([written, await modelOf(written, numbers)]).toEqual([written, null])
    // A measurement may have the digits of a number, but not be one.
    const header = await cleaned({
      ...numbers,
      '00180088': text('DS', '48213377'),
      '00180050': text('DS', '1.48213377'),
    })
    expect([readText(header, '00180088'), readText(header, '00180050')]).toEqual([null, '1.48213377'])
  })

  it('addresses of the original [P22]', async () => {
    const { bytes } = await clean(
      dicomFile({
        elements: slice({
          '00081190': { vr: 'UR', value: Buffer.from('https://pacs.example/studies/1.2.3 ') },
          '00287FE0': { vr: 'UR', value: Buffer.from('https://pacs.example/studies/1.2.3 ') },
          '0040E010': { vr: 'UR', value: Buffer.from('https://pacs.example/studies/1.2.3 ') },
          '00404073': { vr: 'UR', value: Buffer.from('https://pacs.example/studies/1.2.3 ') },
          '00687005': { vr: 'UR', value: Buffer.from('../pacs.example/file') },
        }),
      }),
    )
    expect(bytes.includes('pacs.example')).toBe(false)
  })

  it.each(['latin1', 'utf16le', 'utf16be'] as const)(
    'a name far behind the beginning of a binary value, in %s [P22]',
    async (encoding) => {
      const name = Buffer.from('Canarybird', encoding === 'latin1' ? 'latin1' : 'utf16le')
      const written = encoding === 'utf16be' ? name.swap16() : name
      for (const at of [70_001, 2 ** 20 - 5, 2 ** 21 + 1]) {
        const value = Buffer.alloc(2 ** 21 + 100)
        written.copy(value, at)
        const { bytes } = await clean(
          dicomFile({ elements: slice({ ...person('Canarybird^Tilda'), '00282000': { vr: 'OB', value } }) }),
        )
        expect(bytes.includes(written)).toBe(false)
      }
    },
  )

  it('a name beyond ASCII in a binary value, however it is encoded [P22]', async () => {
    for (const written of [
      Buffer.from('Größe', 'utf8'),
      Buffer.from('Größe', 'latin1'),
      Buffer.from('GRÖSSE GRÖßE', 'utf16le'),
      Buffer.from('größe', 'utf16le').swap16(),
    ]) {
      const value = Buffer.concat([Buffer.alloc(9), written, Buffer.alloc(9)])
      const elements = slice({ ...person('Größe^Eva'), '00282000': { vr: 'OB', value } })
      expect((await clean(dicomFile({ elements }))).bytes.includes(written)).toBe(false)
    }
  })

  it('notes of waveforms, free texts, retired numbers, and what the table leaves [P22]', async () => {
    const hidden = 'Nothing known of her'
    const { bytes } = await clean(
      dicomFile({
        elements: slice({
          '0040B020': [{ '00700006': text('ST', hidden) }],
          '00281351': text('ST', hidden),
          '00620002': [{ '00620006': text('ST', hidden) }],
          '00401006': text('SH', hidden.slice(0, 16)),
          '00401007': text('SH', hidden.slice(0, 16)),
          '00402006': text('LO', hidden),
          '00402007': text('LO', hidden),
          '00142006': text('PN', hidden),
          '00203404': text('LO', hidden),
        }),
      }),
    )
    expect(bytes.includes('Nothing known')).toBe(false)
  })

  it('UIDs that only pretend to be registered by DICOM [P22]', async () => {
    const pretended = '1.2.840.10008.5.1.4.1.1.2.77123'
    const header = await cleaned({
      '00200052': text('UI', pretended),
      '00081140': [
        { '00081150': text('UI', '1.2.840.10008.5.1.4.1.1.4'), '00081155': text('UI', '1.2.840.10008.9.9.9') },
      ],
      '0008010D': text('UI', '1.2.840.10008.2.16.4'),
    })
    expect(readText(header, '00200052')).toMatch(/^2\.25\./)
    expect(JSON.stringify(header['00081140'])).toContain('"1.2.840.10008.5.1.4.1.1.4"')
    expect(JSON.stringify(header)).not.toContain('1.2.840.10008.9.9.9')
  })

  it('but leaves what the object needs to be read, whoever is called so [P22]', async () => {
    const header = await cleaned({
      ...person('Full^Doc'),
      '00280004': text('CS', 'YBR_FULL'),
      '00280002': { vr: 'US', value: Buffer.from([3, 0]) },
      '7FE00010': { vr: 'OW', value: Buffer.alloc(96) },
      '00080008': text('CS', 'ORIGINAL\\PRIMARY\\FULL'),
    })
    expect(readText(header, '00280004')).toBe('YBR_FULL')
    expect(header['00080008']?.Value).toEqual(['ORIGINAL', 'PRIMARY', 'ANONYMIZED'])
  })

  it('empties an attribute that may have no value, and gives one to an attribute that must [P22]', async () => {
    const elements = slice({ ...person('Siemens^Eva'), '00080070': text('LO', 'Siemens') })
    const { bytes } = await clean(dicomFile({ elements }))
    expect(bytes.includes(elementBytes('00080070', text('LO', ''), { isExplicit: true, isBigEndian: false }))).toBe(
      true,
    )
    const enhanced = await cleaned({ ...person('Siemens^Eva'), '00080070': text('LO', 'Siemens'), '52009229': [{}] })
    expect(readText(enhanced, '00080070')).toBe('ANONYMIZED')
  })
})

describe('what a copy must not break', () => {
  const implicit = { isExplicit: false, isBigEndian: false }
  /** A sequence as an old program passes it on. */
  const unknown = (content: Buffer): RawElement => ({ vr: 'UN', value: itemBytes(content, false) })
  const plan = Buffer.concat([
    elementBytes('00081150', text('UI', '1.2.840.10008.5.1.4.1.1.481.5'), implicit),
    elementBytes('00081155', text('UI', '1.2.99.77'), implicit),
    elementBytes('0008103E', text('LO', 'Plan of Canarybird'), implicit),
  ])

  it('cleans a sequence that somebody wrote as an unknown value, and removes one that is none [P22]', async () => {
    const { bytes, instance } = await clean(dicomFile({ elements: slice({ '300C0002': unknown(plan) }) }))
    expect([bytes.includes('1.2.99.77'), bytes.includes('Canarybird')]).toEqual([false, false])
    expect(bytes.includes('1.2.840.10008.5.1.4.1.1.481.5')).toBe(true)
    const broken = await cleaned({ '300C0002': unknown(Buffer.from('Canarybird, no element')) })
    expect([instance.header['300C0002'] !== undefined, broken['300C0002']]).toEqual([true, undefined])
  })

  it('takes sequences away that may be missing and must not be empty [P22]', async () => {
    const reference = { '00081150': text('UI', '1.2.840.10008.3.1.2.3.1'), '00081155': text('UI', '1.2.99.1') }
    const header = await cleaned({ '00081110': [reference], '00081111': [reference], '00400555': [reference] })
    expect([header['00081110'], header['00081111'], header['00400555']]).toEqual([undefined, undefined, { vr: 'SQ' }])
    expect(itemBytes(Buffer.alloc(0), false)).toHaveLength(8)
  })
})
