import { insertElements, stringifyDataset } from './datasetText.ts'

const lo = (value: string) => ({ vr: 'LO', Value: [value] })

describe('the text of a dataset', () => {
  it('has its elements in the order of their tags, those that read as numbers, too, at every depth', () => {
    const item = { '30060020': lo('c'), '00080100': lo('a "quoted" {b}') }
    const dataset = { '20500020': lo('IDENTITY'), '00100020': lo('P1'), '0040A730': { vr: 'SQ', Value: [item] } }
    const text = stringifyDataset(dataset)
    expect(JSON.parse(text)).toEqual(dataset)
    expect(text.match(/"[0-9A-F]{8}"/g)).toEqual(['"00100020"', '"0040A730"', '"00080100"', '"30060020"', '"20500020"'])
  })

  it('is that of JSON where the order is right already', () => {
    const dataset = { '00080005': { vr: 'CS' }, '00081199': { vr: 'SQ', Value: [{ '00081150': lo('1.2') }] } }
    expect(stringifyDataset(dataset)).toBe(JSON.stringify(dataset))
  })
})

describe('elements that are added to a text', () => {
  const additions = ['"00083002":{"vr":"UI"}', '"7FE00010":{"vr":"OW"}']
  const keysOf = (text: string) => (JSON.parse(text), text.match(/"[0-9A-F]{8}"/g))

  it('stand at their places, whatever texts and sequences hold', () => {
    const text =
      '{"00080060":{"vr":"CS","Value":["a \\"} 9 \\\\"]},"0040A730":{"vr":"SQ","Value":[{"00080100":{"vr":"SH"}}]},' +
      '"FFFAFFFA":{"vr":"SQ"}}'
    expect(keysOf(insertElements(text, additions))).toEqual([
      '"00080060"',
      '"00083002"',
      '"0040A730"',
      '"00080100"',
      '"7FE00010"',
      '"FFFAFFFA"',
    ])
  })

  it.each([
    ['an empty one', '{}', ['"00083002"', '"7FE00010"']],
    ['one that ends before them', '{"00080005":{"vr":"CS"}}', ['"00080005"', '"00083002"', '"7FE00010"']],
    ['one that begins after them', '{"FFFCFFFC":{"vr":"OB"}}', ['"00083002"', '"7FE00010"', '"FFFCFFFC"']],
  ])('stand in %s', (_what, text, keys) => {
    expect(keysOf(insertElements(text, additions))).toEqual(keys)
  })
})
