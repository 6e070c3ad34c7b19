/** Defined terms of Specific Character Set (PS3.3 C.12.1.1.2) → the name that TextDecoder uses. */
const encodings: Record<string, string> = {
  '': 'ascii',
  'ISO_IR 6': 'ascii',
  'ISO_IR 100': 'latin1',
  'ISO_IR 101': 'iso-8859-2',
  'ISO_IR 109': 'iso-8859-3',
  'ISO_IR 110': 'iso-8859-4',
  'ISO_IR 144': 'iso-8859-5',
  'ISO_IR 127': 'iso-8859-6',
  'ISO_IR 126': 'iso-8859-7',
  'ISO_IR 138': 'iso-8859-8',
  'ISO_IR 148': 'windows-1254',
  'ISO_IR 203': 'iso-8859-15',
  'ISO_IR 13': 'shift_jis',
  'ISO_IR 166': 'windows-874',
  'ISO_IR 192': 'utf-8',
  GB18030: 'gb18030',
  GBK: 'gbk',
  'ISO_IR 58': 'gb18030',
  'ISO_IR 87': 'ascii',
  'ISO_IR 159': 'ascii',
  'ISO_IR 149': 'euc-kr',
}
const termAliases: Record<string, string> = {
  'UTF-8': 'ISO_IR 192',
  UTF8: 'ISO_IR 192',
  'ISO-8859-1': 'ISO_IR 100',
  LATIN1: 'ISO_IR 100',
  ASCII: 'ISO_IR 6',
  'US-ASCII': 'ISO_IR 6',
}

/** Escape sequences of ISO 2022 (PS3.3 tables C.12-3, C.12-4) → the encoding of the bytes that follow. */
const escapeEncodings: Record<string, string> = {
  '(B': 'ascii',
  '-A': 'latin1',
  '-B': 'iso-8859-2',
  '-C': 'iso-8859-3',
  '-D': 'iso-8859-4',
  '-L': 'iso-8859-5',
  '-G': 'iso-8859-6',
  '-F': 'iso-8859-7',
  '-H': 'iso-8859-8',
  '-M': 'windows-1254',
  '-b': 'iso-8859-15',
  '-T': 'windows-874',
  ')I': 'shift_jis',
  '(J': 'shift_jis',
  $B: 'jis-x-0208',
  '$@': 'jis-x-0208',
  '$(D': 'jis-x-0212',
  '$)C': 'euc-kr',
  '$)A': 'gb18030',
}

type Decoder = InstanceType<typeof TextDecoder>
const decoders = new Map<string, Decoder>()
function findDecoder(name: string, fatal: boolean): Decoder {
  const key = `${name} ${fatal}`
  let decoder = decoders.get(key)
  if (!decoder) decoders.set(key, (decoder = new TextDecoder(name, { fatal })))
  return decoder
}

function decodeAs(bytes: Uint8Array, charset: string): string {
  if (charset === 'ascii') return decodeUndeclared(bytes)
  if (charset === 'latin1') return decodeLatin1(bytes)
  // Both are the two-byte sets of EUC-JP with the high bit off; 0x8F leads a character of JIS X 0212.
  if (charset === 'jis-x-0208') return findDecoder('euc-jp', false).decode(bytes.map((byte) => byte | 0x80))
  if (charset === 'jis-x-0212') {
    const pairs: number[] = []
    for (let i = 0; i < bytes.length; i += 2) pairs.push(0x8f, (bytes[i] ?? 0) | 0x80, (bytes[i + 1] ?? 0) | 0x80)
    return findDecoder('euc-jp', false).decode(Uint8Array.from(pairs))
  }
  return findDecoder(charset, false).decode(bytes)
}

/** ASCII is declared; files that break the promise are tried as UTF-8, then as Latin-1. */
function decodeUndeclared(bytes: Uint8Array): string {
  try {
    return findDecoder('utf-8', true).decode(bytes)
  } catch {
    return decodeLatin1(bytes)
  }
}

/** Each byte a sign; TextDecoder's latin1 is Windows' set, which has others where ISO 8859-1 has control characters. */
function decodeLatin1(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return text
}

/** The declared set is none of DICOM's. */
export class UnknownCharacterSet extends Error {
  override readonly name = 'UnknownCharacterSet'
}

/**
 * Decodes the text of elements. Escape sequences are honoured in every set; control characters other than line ends are
 * dropped.
 */
export class Charset {
  readonly #initial: string

  /** Takes the raw value of (0008,0005); throws `UnknownCharacterSet`. */
  constructor(specific: string) {
    const terms = specific.split('\\').map((term) => term.replace(/\0/g, '').trim().toUpperCase())
    const names = terms.map((term) => {
      const spelled =
        termAliases[term] ?? term.replace(/^ISO 2022[ _]?(?=IR)/, 'ISO_').replace(/^ISO[ _-]?IR[ _-]?/, 'ISO_IR ')
      const name = encodings[spelled]
      if (!name) throw new UnknownCharacterSet('The character set is not defined by DICOM.')
      return name
    })
    this.#initial = names[0] ?? 'ascii'
  }

  decode(bytes: Uint8Array): string {
    const text = bytes.includes(0x1b) ? this.#decodeEscaped(bytes) : decodeAs(bytes, this.#initial)
    return text.replace(/[\0-\x08\x0b\x0e-\x1f\x7f]/g, '')
  }

  /** Whether the bytes are valid in the declared set; single-byte sets have no invalid text. */
  accepts(bytes: Uint8Array): boolean {
    if (!['utf-8', 'gb18030', 'gbk'].includes(this.#initial)) return true
    try {
      findDecoder(this.#initial, true).decode(bytes)
      return true
    } catch {
      return false
    }
  }

  #decodeEscaped(bytes: Uint8Array): string {
    let text = ''
    let charset = this.#initial
    let start = 0
    for (let i = 0; i <= bytes.length; i++) {
      const byte = bytes[i]
      // A delimiter ends the effect of an escape sequence (PS3.5 section 6.1.2.5.3).
      const isDelimiter =
        charset !== this.#initial &&
        (byte === 0x5e || byte === 0x3d || byte === 0x5c || byte === 0x0a || byte === 0x0d) &&
        !charset.startsWith('jis')
      if (i < bytes.length && byte !== 0x1b && !isDelimiter) continue
      text += decodeAs(bytes.subarray(start, i), charset)
      start = i
      if (i === bytes.length) break
      if (isDelimiter) {
        charset = this.#initial
        continue
      }
      const sequence = decodeLatin1(bytes.subarray(i + 1, i + 4))
      const length = sequence[0] === '$' && (sequence[1] === '(' || sequence[1] === ')') ? 3 : 2
      charset = escapeEncodings[sequence.slice(0, length)] ?? this.#initial
      start = i + 1 + length
      i = start - 1
    }
    return text
  }
}
