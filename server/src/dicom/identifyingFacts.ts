import { fromParserKey, tag, toParserKey, type Charset } from '@dmp/dicom'
import type { DataSet, Element } from 'dicom-parser'
import { foldText, isDense, toWords } from './foldedText.ts'
import { toEffectiveVr } from './jsonModel.ts'
import { isRegisteredUid } from './registeredUids.ts'
import { WrittenDates } from './writtenDates.ts'

/** Attributes whose words and numbers must not be found anywhere else in a de-identified object. */
const numberAttributes = new Set<string>([
  tag.PatientID,
  tag.OtherPatientIDs,
  tag.PatientAddress,
  tag.PatientTelephoneNumbers,
  tag.AccessionNumber,
  tag.StudyID,
  // Numbers of admission, order, request and step, and of the retired image service request.
  '00380010',
  '00402016',
  '00402017',
  '00401001',
  '00400009',
  '00400253',
  '00401006',
  '00401007',
  '00402006',
  '00402007',
  '00102155',
  '00101090',
])
/** Shorter words occur in any text, and are found as whole names only. */
const shortestWord = 4
/** Shorter numbers occur in any number. */
const shortestPacked = 6
/** A telephone number without its area. */
const phoneDigits = 7
/** Longer values are no names and numbers. */
const longestFact = 4096
const mostNameParts = 12
/** Here a word without a digit is a fact, too. */
const wordAttributes = new Set<string>([tag.PatientID, tag.OtherPatientIDs, tag.PatientAddress, tag.AccessionNumber])
/** Placeholders and honorifics that stand where a name should; they identify no one. */
const harmless = new Set('anonymous anonymized unknown none test patient phantom prof name demo'.split(' '))
const honorifics = 'mr mrs ms miss dr prof herr frau hr fr mme sr sra patient pat pt name'.split(' ')

/** What an object says of people, dates and things, and whether another value says it again. */
export class IdentifyingFacts {
  /** Found in the middle of a word, too. */
  readonly #words = new Set<string>()
  /** Whole names of short words, between blanks. */
  readonly #phrases = new Set<string>()
  /** A value that is nothing else. */
  readonly #wholes = new Set<string>()
  /** Numbers without what separates their digits. */
  readonly #packed = new Set<string>()
  readonly #uids = new Set<string>()
  /** Spellings with letters beyond ASCII, as bytes. */
  readonly #patterns: readonly Buffer[]
  readonly #dates: WrittenDates
  /** Values repeat from frame to frame. */
  readonly #judged = new Map<string, boolean>()
  readonly #charset: Charset

  constructor(dataSet: DataSet, charset: Charset) {
    this.#charset = charset
    const dates = new Set<string>()
    const names = new Set<string>()
    for (const { element, bytes } of walkElements(dataSet)) {
      const elementTag = fromParserKey(element.tag)
      const vr = toEffectiveVr(elementTag, element.vr, false)
      if (element.length > longestFact) continue
      if (vr === 'UI') this.#addUids(bytes())
      else if (vr === 'DA' || vr === 'DT') for (const date of bytes().toString('latin1').split('\\')) dates.add(date)
      else if (vr === 'PN' || elementTag === tag.PatientName) names.add(charset.decode(bytes()))
      else if (numberAttributes.has(elementTag)) this.#addNumber(charset.decode(bytes()), elementTag)
    }
    for (const name of names) for (const value of name.split(/[\\=]/)) this.#addName(value)
    this.#dates = new WrittenDates(dates)
    this.#patterns = [...names].flatMap(listBytePatterns)
  }

  #addUids(bytes: Buffer): void {
    for (const uid of bytes
      .toString('latin1')
      .split('\\')
      .map((value) => value.replace(/[\0 ]+/g, '')))
      if (uid.includes('.') && !isRegisteredUid(uid)) this.#uids.add(uid)
  }

  #addNumber(text: string, elementTag: string): void {
    for (const folded of text.split('\\').flatMap((value) => foldText(value))) {
      const words = toWords(folded)
      const facts = words.filter((word) => wordAttributes.has(elementTag) || /\d/.test(word))
      for (const word of facts) if (word.length >= shortestWord && !harmless.has(word)) this.#addWord(word)
      if (elementTag === tag.PatientAddress) continue
      for (const packed of [words.join(''), ...words.filter((word) => /^\d+$/.test(word))]) this.#addPacked(packed)
      // With another prefix, or none.
      if (elementTag === tag.PatientTelephoneNumbers) this.#addPacked(words.join('').slice(-phoneDigits))
    }
  }

  #addPacked(packed: string): void {
    if (packed.length >= shortestPacked) this.#packed.add(packed)
  }

  /** A short run of digits is part of many numbers: it counts where it stands alone. */
  #addWord(word: string): void {
    if (/^\d+$/.test(word) && word.length < shortestPacked) this.#phrases.add(` ${word} `)
    else this.#words.add(word)
  }

  #addName(value: string): void {
    for (const folded of foldText(value)) {
      const words = toWords(folded)
        .filter((word) => !harmless.has(word))
        .slice(0, mostNameParts)
      for (const word of words)
        if (word.length >= shortestWord || (isDense(word) && word.length >= 2)) this.#words.add(word)
      for (const [at, first] of words.entries())
        for (const second of words.slice(at + 1)) this.#addPair(first, second, at === 0)
      for (const short of words.slice(0, 2).filter((word) => word.length >= 2 || isDense(word))) this.#addShort(short)
    }
  }

  /** "Li Na", "Na Li", "LiNa": none of them is found by its words. */
  #addPair(first: string, second: string, isFamilyName: boolean): void {
    if (!isFamilyName && (first.length < 2 || second.length < 2)) return
    for (const pair of [[first, second] as const, [second, first] as const]) {
      this.#phrases.add(` ${pair.join(' ')} `)
      if (pair.every(isDense)) this.#words.add(pair.join(''))
      else if (first.length + second.length > 2) this.#phrases.add(` ${pair.join('')} `)
    }
  }

  #addShort(short: string): void {
    this.#wholes.add(` ${short} `)
    for (const honorific of honorifics) this.#phrases.add(` ${honorific} ${short} `)
  }

  /** Whether a text repeats a fact, or holds any date or UID at all. */
  inText(text: string, isCode = false): boolean {
    if (text.length < 2) return false
    if (this.#hasUid(text) || this.#dates.isIn(text)) return true
    return foldText(text).some((folded) => {
      const words = toWords(folded)
      const spaced = ` ${words.join(' ')} `
      if (!isCode && this.#wholes.has(spaced)) return true
      if (includesAny(spaced, this.#words) || includesAny(spaced, this.#phrases)) return true
      const packed = words.join('')
      return packed.length >= shortestPacked && includesAny(packed, this.#packed)
    })
  }

  /** A number that is written as text repeats a fact only as a whole: digits are part of many numbers. */
  inNumbers(text: string): boolean {
    return text.split('\\').some((value) => {
      const number = value.trim()
      return (
        number.length >= shortestWord &&
        (this.#words.has(number) ||
          this.#phrases.has(` ${number} `) ||
          this.#packed.has(number) ||
          this.#dates.packed.has(number))
      )
    })
  }

  /** The text of an element: in its character set, and as UTF-8 and Latin-1, whatever the object declares. */
  inTextBytes(bytes: Buffer, isCode: boolean): boolean {
    const key = bytes.length <= rememberedBytes ? `${isCode} ${bytes.toString('latin1')}` : ''
    const known = this.#judged.get(key)
    if (known !== undefined) return known
    const texts = new Set([this.#charset.decode(bytes), bytes.toString('utf8'), bytes.toString('latin1')])
    const isFact = [...texts].some((text) => this.inText(text, isCode)) || this.#hasPattern(bytes)
    if (key !== '' && this.#judged.size < mostJudged) this.#judged.set(key, isFact)
    return isFact
  }

  /** Text inside of a binary value, in one or two bytes a letter, wherever it stands. */
  inBytes(value: Buffer): boolean {
    for (let at = 0; at < value.length; at += scannedBytes - overlapBytes) {
      const bytes = value.subarray(at, at + scannedBytes)
      if (this.#hasPattern(bytes)) return true
      // Without the zeros, UTF-16 of either order reads like ASCII.
      for (const run of bytes.toString('latin1').match(/[ -~]{4,}/g) ?? []) if (this.inText(run)) return true
      if (!bytes.includes(0)) continue
      for (const run of bytes
        .toString('latin1')
        .replaceAll('\0', '')
        .match(/[ -~]{4,}/g) ?? [])
        if (this.inText(run)) return true
    }
    return false
  }

  #hasPattern(bytes: Buffer): boolean {
    return this.#patterns.some((pattern) => bytes.includes(pattern))
  }

  #hasUid(text: string): boolean {
    return (text.match(/[\d.]{5,}/g) ?? []).some((found) => {
      const parts = found.split('.').filter(Boolean)
      const uid = parts.join('.')
      return this.#uids.has(uid) || (parts.length > leastUidParts && !isRegisteredUid(uid))
    })
  }
}

/** Versions and addresses of machines have four numbers. */
const leastUidParts = 5
const rememberedBytes = 128
const mostJudged = 10_000
const scannedBytes = 2 ** 20
const overlapBytes = 512

const includesAny = (text: string, facts: ReadonlySet<string>): boolean => {
  for (const fact of facts) if (text.includes(fact)) return true
  return false
}

/** Every element that has a value of its own, in items too. */
function* walkElements(dataSet: DataSet): Generator<{ element: Element; bytes: () => Buffer }> {
  for (const element of Object.values(dataSet.elements)) {
    for (const item of element.items ?? []) if (item.dataSet) yield* walkElements(item.dataSet)
    const { buffer, byteOffset } = dataSet.byteArray
    if (!element.items)
      yield { element, bytes: () => Buffer.from(buffer, byteOffset + element.dataOffset, element.length) }
  }
}

/** The words of a name that ASCII cannot write, in the encodings that programs put into binary values. */
function listBytePatterns(name: string): Buffer[] {
  const words = name.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word.length >= 2 && /[^\0-\x7f]/.test(word))
  return words.flatMap((word) => {
    const title = `${word[0]?.toUpperCase() ?? ''}${word.slice(1).toLowerCase()}`
    const spellings = [...new Set([word, word.toLowerCase(), word.toUpperCase(), title])]
    return spellings.flatMap((spelling) => {
      const wide = Buffer.from(spelling, 'utf16le')
      const narrow = /^[\0-\xff]{3,}$/.test(spelling) ? [Buffer.from(spelling, 'latin1')] : []
      return [Buffer.from(spelling, 'utf8'), wide, Buffer.from(wide).swap16(), ...narrow]
    })
  })
}

export const findCharset = (dataSet: DataSet): string => dataSet.string(toParserKey(tag.SpecificCharacterSet)) ?? ''
