import { Charset } from '@dmp/dicom'
import { readInstanceBytes } from './instance.ts'
import { dicomFile, slice, text } from './testing/dicomFile.ts'

const latin = (bytes: string): Buffer => Buffer.from(bytes, 'latin1')

describe('character sets: the examples of PS3.5 annexes H to K [3.13]', () => {
  const examples: ReadonlyArray<readonly [specific: string, bytes: string, text: string]> = [
    ['', 'Smith^John', 'Smith^John'],
    ['ISO_IR 100', 'Buc^J\xe9r\xf4me', 'Buc^Jérôme'],
    ['ISO_IR 126', '\xc4\xe9\xef\xed\xf5\xf3\xe9\xef\xf2', 'Διονυσιος'],
    ['ISO_IR 144', '\xbb\xee\xda\x63\x65\xdc\xd1\x79\x70\xd3', 'Люкceмбypг'],
    ['ISO_IR 13', '\xd4\xcf\xc0\xde^\xc0\xdb\xb3', 'ﾔﾏﾀﾞ^ﾀﾛｳ'],
    ['ISO_IR 192', Buffer.from('Wang^XiaoDong=王^小東').toString('latin1'), 'Wang^XiaoDong=王^小東'],
    ['GB18030', 'Wang^XiaoDong=\xcd\xf5^\xd0\xa1\xb6\xab', 'Wang^XiaoDong=王^小东'],
    [
      '\\ISO 2022 IR 87',
      'Yamada^Tarou=\x1b$B;3ED\x1b(B^\x1b$BB@O:\x1b(B=\x1b$B$d$^$@\x1b(B^\x1b$B$?$m$&\x1b(B',
      'Yamada^Tarou=山田^太郎=やまだ^たろう',
    ],
    [
      '\\ISO 2022 IR 149',
      'Hong^Gildong=\x1b$)C\xfb\xf3^\x1b$)C\xd1\xce\xd4\xd7=\x1b$)C\xc8\xab^\x1b$)C\xb1\xe6\xb5\xbf',
      'Hong^Gildong=洪^吉洞=홍^길동',
    ],
    ['\\ISO 2022 IR 58', 'Zhang^XiaoDong=\x1b$)A\xd5\xc5^\x1b$)A\xd0\xa1\xb6\xab', 'Zhang^XiaoDong=张^小东'],
    ['\\ISO 2022 IR 159', '\x1b$(D\x30\x21\x30\x22\x1b(B', '丂丄'],
    // A delimiter ends the effect of an escape sequence.
    ['\\ISO 2022 IR 149', '\x1b$)CA^\xfb\xf3', 'A^ûó'],
    ['\\ISO 2022 IR 149', '\x1b$)CA=\xfb\xf3', 'A=ûó'],
    ['\\ISO 2022 IR 149', '\x1b$)CA\\\xfb\xf3', 'A\\ûó'],
    ['\\ISO 2022 IR 149', '\x1b$)CA\r\xfb\xf3', 'A\rûó'],
    ['\\ISO 2022 IR 149', '\x1b$)CA\n\xfb\xf3', 'A\nûó'],
    ['ISO 2022 IR 100\\ISO 2022 IR 126', 'J\xe9r\xf4me \x1b-F\xc4\xe9\xef', 'Jérôme Διο'],
  ]
  it.each(examples)('%s: %s', (specific, bytes, expected) => {
    expect(new Charset(specific).decode(latin(bytes))).toBe(expected)
  })

  it('reads what writers call sets in their own words', () => {
    for (const name of ['UTF-8', 'utf8', 'ISO IR 192', 'ISO-IR 192'])
      expect(new Charset(name).decode(Buffer.from('Zoë'))).toBe('Zoë')
  })

  it('keeps names readable where no set is named: UTF-8 where it is, else Latin-1', () => {
    expect(new Charset('').decode(Buffer.from('Müller'))).toBe('Müller')
    expect(new Charset('').decode(latin('M\xfcller'))).toBe('Müller')
  })

  it.each([
    ['ISO_IR 192', 'M\xfcller'],
    ['\\ISO 2022 IR 149', '\x1b$)C\xff\xff'],
    ['\\ISO 2022 IR 87', '\x1b$B\x20\x20\x1b(B'],
    ['\\ISO 2022 IR 159', '\x1b$(D\x20\x20\x1b(B'],
    ['\\ISO 2022 IR 159', '\x1b$(D\x30\x21\x30\x1b(B'],
  ])('shows in the place of what is broken in %s that something was there', (specific, bytes) => {
    expect(new Charset(specific).decode(latin(bytes))).toContain('\ufffd')
  })

  it('drops control characters, which no table cell and no database wants [P14, P16]', () => {
    expect(new Charset('').decode(latin('A\0B\x07C\r\nD'))).toBe('ABC\r\nD')
  })

  it('shows names in every spelling of the header [3.13]', async () => {
    const { header } = await readInstanceBytes(
      dicomFile({
        elements: slice({
          '00080005': text('CS', 'ISO_IR 192'),
          '00100010': text('PN', 'Yamada^Tarou=山田^太郎=やまだ^たろう'),
        }),
      }),
    )
    expect(header['00100010']).toEqual({
      vr: 'PN',
      Value: [{ Alphabetic: 'Yamada^Tarou', Ideographic: '山田^太郎', Phonetic: 'やまだ^たろう' }],
    })
  })
})
