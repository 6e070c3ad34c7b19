import { elementBytes } from '@dmp/dimse/elementWriter'
import { findAcquisitionDate } from '../modules/scan/reading/acquisitionDate.ts'
import { items, name, text as readText } from './attributes.ts'
import { datasetBytes, dicomFile, explicitLittle, slice, text, type Elements } from './testing/dicomFile.ts'
import { createUidMapper } from './uidMap.ts'
import { secret, hiddenName, clean, cleaned, hiddenText, withHiddenName, metaFor } from './deidentifyInTests.ts'

describe('de-identified means de-identified [P22]', () => {
  const places: ReadonlyArray<readonly [where: string, changes: Elements]> = [
    ['the patient’s name', {}],
    ['other names', { '00101001': hiddenText('PN') }],
    ['birth name and mother’s name', { '00101005': hiddenText('PN'), '00101060': hiddenText('PN') }],
    ['address and telephone', { '00101040': hiddenText('LO'), '00102154': hiddenText('SH') }],
    ['comments', { '00104000': hiddenText('LT'), '00204000': hiddenText('LT'), '00324000': hiddenText('LT') }],
    ['descriptions of study and series', { '00081030': hiddenText('LO'), '0008103E': hiddenText('LO') }],
    [
      'people of the hospital',
      {
        '00080090': hiddenText('PN'),
        '00081050': hiddenText('PN'),
        '00081070': hiddenText('PN'),
        '00321032': hiddenText('PN'),
      },
    ],
    [
      'places',
      {
        '00080080': hiddenText('LO'),
        '00080081': hiddenText('ST'),
        '00081010': hiddenText('SH'),
        '00081040': hiddenText('LO'),
      },
    ],
    [
      'numbers of orders and visits',
      {
        '00080050': hiddenText('SH'),
        '00402017': hiddenText('LO'),
        '00380010': hiddenText('LO'),
        '00200010': hiddenText('SH'),
      },
    ],
    ['the protocol', { '00181030': hiddenText('LO') }],
    ['a private attribute', { '00090010': text('LO', 'ACME'), '00091001': hiddenText('LO') }],
    ['a private sequence', { '00090010': text('LO', 'ACME'), '00091002': [{ '00100010': hiddenText('PN') }] }],
    [
      'an item',
      {
        '00081140': [
          {
            '00081150': text('UI', '1.2.840.10008.5.1.4.1.1.2'),
            '00081155': text('UI', '9.8.7'),
            '0008103E': hiddenText('LO'),
          },
        ],
      },
    ],
    [
      'an item of an item',
      { '00089215': [{ '0040A170': [{ '00102180': hiddenText('SH'), '00081070': hiddenText('PN') }] }] },
    ],
    ['the request', { '00400275': [{ '00321060': hiddenText('LO'), '00400007': hiddenText('LO') }] }],
    ['original attributes', { '04000561': [{ '04000550': [{ '00100010': hiddenText('PN') }] }] }],
    [
      'an overlay',
      { '60003000': { vr: 'OB', value: Buffer.from(`${hiddenName} drawn `) }, '60004000': hiddenText('LT') },
    ],
    ['a curve', { '50003000': { vr: 'OB', value: Buffer.from(hiddenName) } }],
    ['an icon', { '00880200': [{ '00280010': text('LO', hiddenName) }] }],
    ['a place of the photograph', { '00160072': hiddenText('DS'), '0016004D': hiddenText('LO') }],
    ['unknown attributes', { '00087777': hiddenText('LO') }],
    ['attributes of unknown kind', { '00187777': { vr: 'UN', value: Buffer.from(hiddenName) } }],
    ['an attribute where no name belongs', { '00081090': text('LO', `Scanner of ${hiddenName.toUpperCase()}`) }],
    [
      'a code’s meaning',
      {
        '00082218': [
          {
            '00080100': text('SH', 'T-1'),
            '00080102': text('SH', 'SRT'),
            '00080104': text('LO', `Knee of ${hiddenName}`),
          },
        ],
      },
    ],
    ['a binary attribute', { '00282000': { vr: 'OB', value: Buffer.from(`ICC ${hiddenName}`) } }],
    ['UTF-16 in a binary attribute', { '00282000': { vr: 'OB', value: Buffer.from(hiddenName, 'utf16le') } }],
    ['a colour table', { '00281221': { vr: 'OW', value: Buffer.from(`${hiddenName}  `) } }],
  ]
  it.each(places)('no byte of the copy holds the name from %s [P22]', async (_where, changes) => {
    const { bytes } = await clean(dicomFile({ elements: slice(withHiddenName(changes)) }))
    for (const encoding of ['latin1', 'utf16le'] as const)
      expect(bytes.toString(encoding).toLowerCase()).not.toContain(hiddenName.toLowerCase())
  })

  it('looks for names of four letters, and not for shorter ones or for what stands where no name is [P22]', async () => {
    const of = async (patient: string, word: string) =>
      readText(await cleaned({ '00100010': text('PN', patient), '00081090': text('LO', word) }), '00081090')
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
    expect(readText(long, '00081090')).toBeNull()
  })

  it('forgets preamble and file meta information [P22]', async () => {
    const file = dicomFile()
    file.write(hiddenName, 0)
    const { bytes } = await clean(file)
    expect(bytes.subarray(0, 128).every((byte) => byte === 0)).toBe(true)
  })

  it('forgets what follows the pixel data [P22]', async () => {
    const trailing = elementBytes('FFFCFFFC', { vr: 'OB', value: Buffer.from(hiddenName) }, explicitLittle)
    const { bytes } = await clean(Buffer.concat([dicomFile(), trailing]))
    expect(bytes.includes(hiddenName)).toBe(false)
    const deflated = await clean(
      dicomFile({
        transferSyntaxUID: '1.2.840.10008.1.2.1.99',
        dataset: Buffer.concat([datasetBytes(slice()), trailing]),
      }),
    )
    expect((await deflated.instance.part10.source.read(0, 2 ** 20)).includes(hiddenName)).toBe(false)
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
    expect([readText(plain, '00080021'), findAcquisitionDate(plain)]).toEqual([null, null])
    const pet = dicomFile({
      elements: slice({ ...dated, '00080016': text('UI', '1.2.840.10008.5.1.4.1.1.128') }),
      start: metaFor('1.2.840.10008.5.1.4.1.1.128'),
    })
    const { header } = (await clean(pet)).instance
    expect([readText(header, '00080021'), findAcquisitionDate(header)]).toEqual(['19000101', null])
  })

  it('gives the same new UID to the same old one, in items too, and leaves the UIDs of DICOM itself [P22]', async () => {
    const header = await cleaned({
      '00081140': [{ '00081150': text('UI', '1.2.840.10008.5.1.4.1.1.2'), '00081155': text('UI', '1.2.3.4.5') }],
      '00200052': text('UI', '1.2.3.99'),
    })
    const map = createUidMapper(secret)
    expect(readText(header, '00080018')).toBe(map('1.2.3.4.5'))
    const [reference] = items(header, '00081140')
    expect([readText(reference ?? {}, '00081155'), readText(reference ?? {}, '00081150')]).toEqual([
      map('1.2.3.4.5'),
      '1.2.840.10008.5.1.4.1.1.2',
    ])
    // What is said of the whole object is not said again of its items.
    expect([readText(header, '00120062'), reference?.['00120062']]).toEqual(['YES', undefined])
    expect(readText(header, '00200052')).toBe(map('1.2.3.99'))
    expect(readText(header, '00080016')).toBe('1.2.840.10008.5.1.4.1.1.2')
  })

  it('replaces UIDs that a writer put into text, and such as only begin like those of DICOM [P22]', async () => {
    const { bytes, instance } = await clean(
      dicomFile({
        elements: slice({
          '00081140': [{ '00081155': text('LO', '9.8.7.6.5') }],
          '00200052': text('SH', '9.8.7.6.6'),
          '00081150': text('UI', '1.2.840.10008.Canarybird'),
        }),
      }),
    )
    for (const hidden of ['9.8.7.6.5', '9.8.7.6.6', hiddenName]) expect(bytes.includes(hidden)).toBe(false)
    const referenced = createUidMapper(secret)('9.8.7.6.5')
    expect(readText(items(instance.header, '00081140')[0] ?? {}, '00081155')).toBe(referenced)
  })

  it('makes UIDs that are UIDs, differ by transfer and cannot be guessed [P22]', () => {
    const map = createUidMapper(secret)
    const newUIDs = Array.from({ length: 500 }, (_, index) => map(`1.2.3.${index}`))
    expect(new Set(newUIDs).size).toBe(500)
    for (const uid of newUIDs) expect(uid).toMatch(/^2\.25\.[1-9]\d{30,38}$/)
    expect(createUidMapper(Buffer.from('another'))('1.2.3.1')).not.toBe(map('1.2.3.1'))
  })

  it('says that it was done, by which method, and names the patient by a pseudonym [P22]', async () => {
    const header = await cleaned({})
    expect([readText(header, '00120062'), readText(header, '00120063')]).toEqual([
      'YES',
      'DICOM PS3.15 Annex E Basic Profile',
    ])
    expect(readText(items(header, '00120064')[0] ?? {}, '00080100')).toBe('113100')
    expect(name(header, '00100010')).toMatch(/^ANON-[0-9A-F]{10}$/)
    expect(readText(header, '00100020')).toBe(name(header, '00100010'))
  })
})
