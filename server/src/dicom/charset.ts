import { DicomRefusal } from './refusal.ts'

/** PS3.3 C.12.1.1.2: defined terms of Specific Character Set → the name that TextDecoder knows. */
const single: Record<string, string> = {
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
const spoken: Record<string, string> = {
  'UTF-8': 'ISO_IR 192',
  UTF8: 'ISO_IR 192',
  'ISO-8859-1': 'ISO_IR 100',
  LATIN1: 'ISO_IR 100',
  ASCII: 'ISO_IR 6',
  'US-ASCII': 'ISO_IR 6',
}

/** Escape sequences of ISO 2022 (PS3.3 tables C.12-3, C.12-4) → how the bytes behind them are decoded. */
const escapes: Record<string, string> = {
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
function decoder(name: string, fatal: boolean): Decoder {
  const key = `${name} ${fatal}`
  let found = decoders.get(key)
  if (!found) decoders.set(key, (found = new TextDecoder(name, { fatal })))
  return found
}

function decodeAs(bytes: Uint8Array, charset: string): string {
  if (charset === 'ascii') return decodeUndeclared(bytes)
  if (charset === 'latin1') return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  // Both are the two-byte sets of EUC-JP with the high bit off; 0x8F leads a character of JIS X 0212.
  if (charset === 'jis-x-0208') return decoder('euc-jp', false).decode(bytes.map((byte) => byte | 0x80))
  if (charset === 'jis-x-0212') {
    const pairs: number[] = []
    for (let i = 0; i < bytes.length; i += 2) pairs.push(0x8f, (bytes[i] ?? 0) | 0x80, (bytes[i + 1] ?? 0) | 0x80)
    return decoder('euc-jp', false).decode(Uint8Array.from(pairs))
  }
  return decoder(charset, false).decode(bytes)
}

/** Plain ASCII is promised; where a file breaks the promise, UTF-8 is tried before Latin-1. */
function decodeUndeclared(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  try {
    return decoder('utf-8', true).decode(bytes)
  } catch {
    return buffer.toString('latin1')
  }
}

/**
 * Turns the bytes of an element into text; ESC sequences are honoured in every set. Control characters but line ends
 * are dropped.
 */
export class Charset {
  readonly #initial: string

  /** Takes the raw value of (0008,0005); refuses sets that nobody knows. */
  constructor(specific: string) {
    const terms = specific.split('\\').map((term) => term.replace(/\0/g, '').trim().toUpperCase())
    const names = terms.map((term) => {
      const spelled =
        spoken[term] ?? term.replace(/^ISO 2022[ _]?(?=IR)/, 'ISO_').replace(/^ISO[ _-]?IR[ _-]?/, 'ISO_IR ')
      const name = single[spelled]
      if (!name) throw new DicomRefusal('CHARACTER_SET', 'The specific character set is not one of DICOM.')
      return name
    })
    this.#initial = names[0] ?? 'ascii'
  }

  decode(bytes: Uint8Array): string {
    const text = bytes.includes(0x1b) ? this.#decodeEscaped(bytes) : decodeAs(bytes, this.#initial)
    return text.replace(/[\0-\x08\x0b\x0e-\x1f\x7f]/g, '')
  }

  /** Whether the bytes can be what the declared set says; single-byte sets have no invalid text. */
  accepts(bytes: Uint8Array): boolean {
    if (!['utf-8', 'gb18030', 'gbk'].includes(this.#initial)) return true
    try {
      decoder(this.#initial, true).decode(bytes)
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
      const sequence = Buffer.from(bytes.subarray(i + 1, i + 4)).toString('latin1')
      const length = sequence[0] === '$' && (sequence[1] === '(' || sequence[1] === ')') ? 3 : 2
      charset = escapes[sequence.slice(0, length)] ?? this.#initial
      start = i + 1 + length
      i = start - 1
    }
    return text
  }
}
