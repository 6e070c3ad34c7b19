import { tag, toParserKey } from '@dmp/dicom'
import type { DataSet } from 'dicom-parser'
import type { Charset } from './charset.ts'

/** Attributes whose words must not be found anywhere else in a de-identified object. */
const identifyingAttributes = [
  toParserKey(tag.PatientName),
  toParserKey(tag.PatientID),
  toParserKey(tag.OtherPatientIDs),
  toParserKey(tag.OtherPatientNames),
  toParserKey(tag.PatientBirthName),
  toParserKey(tag.PatientMotherBirthName),
  toParserKey(tag.PatientAddress),
  toParserKey(tag.PatientTelephoneNumbers),
  toParserKey(tag.AccessionNumber),
  toParserKey(tag.ReferringPhysicianName),
  toParserKey(tag.PerformingPhysicianName),
  toParserKey(tag.OperatorsName),
  toParserKey(tag.RequestingPhysician),
  toParserKey(tag.ResponsiblePerson),
]
/** Shorter words occur in any text. */
const shortestWord = 4
/** Placeholders and honorifics that stand where a name should; they identify no one. */
const harmless = new Set([
  'anonymous',
  'anonymized',
  'unknown',
  'none',
  'test',
  'patient',
  'phantom',
  'prof',
  'name',
  'demo',
])

/** Names and numbers of the patient and names of physicians, as words to search for. */
export function listIdentifyingWords(dataSet: DataSet, charset: Charset): string[] {
  const words = new Set<string>()
  for (const key of identifyingAttributes) {
    const element = dataSet.elements[key]
    if (!element || element.items || element.length > 4096) continue
    const text = charset.decode(dataSet.byteArray.subarray(element.dataOffset, element.dataOffset + element.length))
    for (const word of text.toLowerCase().split(/[\s^=\\,;]+/))
      if (word.length >= shortestWord && !harmless.has(word)) words.add(word)
  }
  return [...words]
}

const searchedBytes = 64 * 1024

/**
 * Whether a value holds one of the words: as text in the object's character set, in UTF-16, or inside a binary value.
 */
export function hasAnyWord(words: readonly string[], value: Uint8Array, charset: Charset): boolean {
  if (words.length === 0 || value.length < shortestWord) return false
  const bytes = Buffer.from(value.buffer, value.byteOffset, Math.min(value.length, searchedBytes))
  const texts = [charset.decode(bytes), bytes.toString('latin1'), bytes.toString('utf16le')].map((text) =>
    text.toLowerCase(),
  )
  return words.some((word) => texts.some((text) => text.includes(word)))
}
