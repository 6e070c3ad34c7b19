import type { RawElement } from '@dmp/dimse/elementWriter'
import { text as readText, items } from './attributes.ts'
import { createReport, deidentify } from './deidentify.ts'
import { clean, metaFor } from './deidentifyInTests.ts'
import { readInstanceBytes } from './instance.ts'
import type { JsonDataset } from './jsonModel.ts'
import { datasetBytes, dicomFile, slice, text, type Elements } from './testing/dicomFile.ts'

const basicText = '1.2.840.10008.5.1.4.1.1.88.11'
const [contents, concept, meaning] = ['0040A730', '0040A043', '00080104']

const code = (scheme: string, value: string, meaning: string): Elements => ({
  '00080100': text('SH', value),
  '00080102': text('SH', scheme),
  '00080104': text('LO', meaning),
})
const content = (
  type: string,
  value: Record<string, RawElement | Elements[]>,
  name = code('DCM', '121071', 'Finding'),
) => ({
  '0040A010': text('CS', 'CONTAINS'),
  '0040A040': text('CS', type),
  '0040A043': [name],
  ...value,
})

function report(contentItems: Elements[], more: Elements = {}): Buffer {
  const header = Object.entries(slice()).filter(([tag]) => !/^(?:0028|7FE0)/.test(tag))
  const elements = {
    ...Object.fromEntries(header),
    '00080016': text('UI', basicText),
    '00080023': text('DA', '20240506'),
    '00080033': text('TM', '101112'),
    '0040A040': text('CS', 'CONTAINER'),
    '0040A043': [code('LN', '18748-4', 'Diagnostic imaging report')],
    '0040A493': text('CS', 'VERIFIED'),
    '0040A730': contentItems,
    ...more,
  }
  return Buffer.concat([metaFor(basicText), datasetBytes(elements)])
}

const cleanItems = async (...contentItems: Elements[]): Promise<readonly JsonDataset[]> =>
  items((await clean(report(contentItems))).instance.header, contents)

describe('a de-identified structured report [P22]', () => {
  it('keeps its tree, its public codes and its measurements, and no text, name or date of anybody [P22]', async () => {
    const [words, person, born, coded, measured, deeper] = await cleanItems(
      content('TEXT', { '0040A160': text('UT', 'She works at the bakery.') }),
      content('PNAME', { '0040A123': text('PN', 'Reader^Rita') }, code('DCM', '121008', 'Person Observer Name')),
      content('DATE', { '0040A121': text('DA', '19771231') }),
      content('CODE', { '0040A168': [code('SCT', '39607008', 'Lung structure')] }),
      content('NUM', { '0040A300': [{ '0040A30A': text('DS', '12.5'), '004008EA': [code('UCUM', 'mm', 'mm')] }] }),
      content('CONTAINER', { '0040A730': [content('TEXT', { '0040A160': text('UT', 'Deep down.') })] }),
    )
    const of = (item: JsonDataset | undefined, tag: string) => readText(item ?? {}, tag)
    expect([of(words, '0040A160'), of(born, '0040A121')]).toEqual(['ANONYMIZED', '19000101'])
    expect(JSON.stringify(person)).not.toContain('Reader')
    expect(of(items(coded ?? {}, '0040A168')[0], meaning)).toBe('Lung structure')
    expect(items(measured ?? {}, '0040A300')[0]?.['0040A30A']?.Value).toEqual([12.5])
    expect(of(items(deeper ?? {}, contents)[0], '0040A160')).toBe('ANONYMIZED')
    expect(of(items(words ?? {}, concept)[0], meaning)).toBe('Finding')
  })

  it('says nothing by the meanings of codes that a site made up [P22]', async () => {
    const [item] = await cleanItems(
      content('CODE', { '0040A168': [code('99SITE', 'X1', 'Daughter of the mayor')] }, code('99SITE', 'X2', 'Family')),
    )
    expect(JSON.stringify(item)).not.toMatch(/mayor|Family/)
    expect(readText(items(item ?? {}, concept)[0] ?? {}, '00080100')).toBe('X2')
  })

  it('has values where the standard wants some: dates, contents, who verified it [P22]', async () => {
    const verifier = {
      '0040A075': text('PN', 'Reader^Rita'),
      '0040A027': text('LO', 'North hospital'),
      '0040A030': text('DT', '20240506101112'),
    }
    const { header } = (await clean(report([content('TEXT', {})], { '0040A073': [verifier] }))).instance
    expect([readText(header, '00080023'), readText(header, '00080033')]).toEqual(['19000101', '000000'])
    const [copied] = items(header, '0040A073')
    expect([readText(copied ?? {}, '0040A027'), readText(copied ?? {}, '0040A030')]).toEqual([
      'ANONYMIZED',
      '19000101000000',
    ])
    expect(JSON.stringify(copied)).not.toContain('Rita')
  })

  it('says of nobody by which code a hospital knows them [P22]', async () => {
    const operator = { '00401101': [code('99STAFF', 'E-1', 'Sister Agnes')], '00080080': text('LO', 'North') }
    const enhanced = slice({ '52009229': [{}], '00081072': [operator] })
    const { bytes, instance } = await clean(dicomFile({ elements: enhanced }))
    const [cleaned] = items(instance.header, '00081072')
    expect([bytes.includes('Agnes'), bytes.includes('E-1'), bytes.includes('99STAFF')]).toEqual([false, false, false])
    expect(readText(items(cleaned ?? {}, '00401101')[0] ?? {}, '00080100')).toBe('ANONYMIZED')
  })

  it('tells its sender what became of it [P22]', async () => {
    const told = createReport()
    await deidentify(await readInstanceBytes(report([content('TEXT', {})])), Buffer.from('secret'), told)
    expect([...told.warnings].join()).toContain('Only its public codes, its measurements and its references remain.')
  })
})
