import { parseSeries } from './parseSeries.ts'

const implicit = '1.2.840.10008.1.2'
const explicit = '1.2.840.10008.1.2.1'
const bytesOf = (text: string): number[] =>
  [...(text.length % 2 ? `${text}\0` : text)].map((sign) => sign.charCodeAt(0))
const two = (value: number): number[] => [value & 255, (value >> 8) & 255]
const four = (value: number): number[] => [...two(value & 0xffff), ...two(value >>> 16)]
const tagOf = (tag: string): number[] => [
  ...two(Number.parseInt(tag.slice(0, 4), 16)),
  ...two(Number.parseInt(tag.slice(4), 16)),
]
const withVr = (tag: string, vr: string, value: readonly number[]): number[] => [
  ...tagOf(tag),
  ...bytesOf(vr),
  ...(vr === 'SQ' ? [0, 0, ...four(0xffffffff)] : two(value.length)),
  ...value,
]
const bare = (tag: string, _vr: string, value: readonly number[]): number[] => [
  ...tagOf(tag),
  ...four(value.length),
  ...value,
]
// jsdom's own Blob cannot be read; the platform's comes out of a response.
const blobOf = (bytes: readonly number[]): Promise<Blob> => new Response(new Uint8Array(bytes)).blob()
const fileOf = (...parts: readonly (readonly number[])[]): Promise<Blob> =>
  blobOf([...Array.from({ length: 128 }, () => 0), ...bytesOf('DICM'), ...parts.flat()])
const syntax = (uid: string) => withVr('00020010', 'UI', bytesOf(uid))

describe('the series of a file, read in the page [1.07]', () => {
  it.each([
    [explicit, withVr],
    [implicit, bare],
  ] as const)('in %s', async (uid, element) => {
    const file = await fileOf(
      syntax(uid),
      element('00080005', 'CS', bytesOf('ISO_IR 100')),
      element('00080020', 'DA', bytesOf('20260504')),
      element('00080060', 'CS', bytesOf('CT')),
      element('00081030', 'LO', bytesOf('Knie')),
      element('0008103E', 'LO', bytesOf('Thin slices')),
      element('00100010', 'PN', bytesOf('M\xfcller^Zo\xeb=W^X')),
      element('00100020', 'LO', bytesOf('P-7 ')),
      element('0020000E', 'UI', bytesOf('1.2.3')),
      element('00200011', 'IS', bytesOf('4')),
      element('00280010', 'US', two(512)),
    )
    expect(await parseSeries(file)).toEqual({
      uid: '1.2.3',
      studyUID: '',
      name: 'Thin slices',
      patient: 'Müller, Zoë · P-7',
      study: 'Knie · 2026-05-04',
    })
  })

  it('without a description by its kind and number', async () => {
    expect(
      await parseSeries(
        await fileOf(
          syntax(explicit),
          withVr('00080060', 'CS', bytesOf('MR')),
          withVr('0020000E', 'UI', bytesOf('1.2.3')),
          withVr('00200011', 'IS', bytesOf('7')),
        ),
      ),
    ).toEqual({ uid: '1.2.3', studyUID: '', name: 'MR 7', patient: '', study: '' })
  })

  it('with group 2 written as it always is, and the rest without kinds: known by the syntax, wherever group 2 ends', async () => {
    const file = await fileOf(
      withVr('00020002', 'UI', bytesOf('1.2')),
      syntax(implicit),
      withVr('00020012', 'UI', bytesOf('1.3')),
      withVr('00020013', 'SH', bytesOf('MAKER')),
      bare('00080060', 'CS', bytesOf('CT')),
      bare('0020000E', 'UI', bytesOf('1.2.3')),
    )
    expect(await parseSeries(file)).toMatchObject({ uid: '1.2.3', name: 'CT' })
  })

  it('behind items whose length is said and items whose length is not', async () => {
    const items = [
      ...tagOf('FFFEE000'),
      ...four(10),
      ...withVr('00081155', 'UI', bytesOf('19')),
      ...tagOf('FFFEE000'),
      ...four(0xffffffff),
      ...withVr('00081155', 'UI', bytesOf('1.9')),
      ...tagOf('FFFEE00D'),
      ...four(0),
      ...tagOf('FFFEE0DD'),
      ...four(0),
    ]
    expect(
      await parseSeries(
        await fileOf(syntax(explicit), withVr('00081140', 'SQ', items), withVr('0020000E', 'UI', bytesOf('1.2.3'))),
      ),
    ).toMatchObject({ uid: '1.2.3', name: 'Series 1.2.3' })
  })

  it('as far as the first 64 kB: a file whose header is longer is told by its folder, without reading more', async () => {
    const long = (bytes: number) =>
      fileOf(
        syntax(explicit),
        [...tagOf('00081030'), ...bytesOf('UT'), 0, 0, ...four(bytes), ...Array.from({ length: bytes }, () => 32)],
        withVr('0020000E', 'UI', bytesOf('1.2.3')),
      )
    expect(await parseSeries(await long(60_000))).toMatchObject({ uid: '1.2.3', name: 'Series 1.2.3' })
    expect(await parseSeries(await long(66_000))).toBeUndefined()
  })

  it('behind sequences whose length is not said, one in the other', async () => {
    const end = (tag: string) => [...tagOf(tag), ...four(0)]
    const inner = withVr('00081199', 'SQ', [
      ...tagOf('FFFEE000'),
      ...four(0xffffffff),
      ...withVr('00081155', 'UI', bytesOf('1.9')),
      ...end('FFFEE00D'),
      ...end('FFFEE0DD'),
    ])
    const outer = withVr('00081140', 'SQ', [
      ...tagOf('FFFEE000'),
      ...four(0xffffffff),
      ...inner,
      ...end('FFFEE00D'),
      ...end('FFFEE0DD'),
    ])
    expect(
      await parseSeries(await fileOf(syntax(explicit), outer, withVr('0020000E', 'UI', bytesOf('1.2.3')))),
    ).toMatchObject({
      uid: '1.2.3',
      studyUID: '',
      name: 'Series 1.2.3',
    })
  })

  it('not when it is no DICOM file, cut off, deflated or lying about a length', async () => {
    expect(await parseSeries(await blobOf(bytesOf('a letter')))).toBeUndefined()
    expect(await parseSeries(await blobOf(Array.from({ length: 131 }, () => 0)))).toBeUndefined()
    expect(
      await parseSeries(
        await blobOf([
          ...Array.from({ length: 128 }, () => 0),
          ...bytesOf('DICX'),
          ...syntax(explicit),
          ...withVr('0020000E', 'UI', bytesOf('1.2.3')),
        ]),
      ),
    ).toBeUndefined()
    expect(
      await parseSeries(await fileOf(syntax(explicit), withVr('0020000E', 'UI', bytesOf('1.2.3')).slice(0, 10))),
    ).toBeUndefined()
    expect(
      await parseSeries(await fileOf(syntax('1.2.840.10008.1.2.1.99'), withVr('0020000E', 'UI', bytesOf('1.2.3')))),
    ).toBeUndefined()
    expect(
      await parseSeries(await fileOf(syntax(explicit), [...tagOf('00080060'), ...bytesOf('CS'), ...two(60_000)])),
    ).toBeUndefined()
  })
})
