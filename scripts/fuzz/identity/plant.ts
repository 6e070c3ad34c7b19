import { elementBytes, itemBytes, textValue, type RawElement } from '../../../shared/dimse/src/elementWriter.ts'
import { tag } from '../../../shared/dicom/src/index.ts'
import { findVr, listAttributes } from '../../../server/src/dicom/dictionary.ts'
import type { Instance } from '../../../server/src/dicom/instance.ts'
import { findWholePixels } from '../../../server/src/dicom/cleanPixels.ts'
import { readRewritten, rewrite, type Decision, type ElementContext } from '../../../server/src/dicom/rewrite.ts'
import type { Random } from '../Random.ts'
import type { Person } from './person.ts'

const textVrs = new Set(['LO', 'SH', 'ST', 'LT', 'UT', 'UC', 'UR', 'PN', 'AE', 'CS'])
const binaryVrs = new Set(['OB', 'OW', 'OF', 'OD', 'OL', 'UN'])
/** Without these, or with other values, there is no object any more; and words by which others are read. */
const structural = new Set<string>([tag.SpecificCharacterSet, tag.SOPClassUID, tag.Modality, '0040A040', '0040A010'])
const isStructural = (key: string): boolean =>
  structural.has(key) || /^(?:000[0-7]|FFFE|7FE0)/.test(key) || (key.startsWith('0028') && findVr(key) !== 'OB')

const attributes = listAttributes().filter(
  ({ tag: key, vr }) => (textVrs.has(vr) || binaryVrs.has(vr)) && !isStructural(key),
)

const encodings = ['utf8', 'utf8', 'utf16le', 'utf16be'] as const

/** Bytes that hold a writing somewhere, now and then far behind their beginning. */
function plantInBytes(random: Random, writing: string): Buffer {
  const encoding = encodings[random.below(encodings.length)] ?? 'utf8'
  const plain = Buffer.from(writing, encoding === 'utf8' ? 'utf8' : 'utf16le')
  const written = encoding === 'utf16be' ? plain.swap16() : plain
  const before = random.isOneIn(20) ? 66_000 + random.below(3000) : random.below(300)
  return Buffer.concat([
    Buffer.alloc(before, random.below(3)),
    Buffer.alloc(1),
    written,
    Buffer.alloc(random.below(9) + 1),
  ])
}

/** A value that holds a writing, as the attribute's kind allows. */
function plantValue(random: Random, vr: string, person: Person): RawElement {
  const writing = person.writings[random.below(person.writings.length)] ?? person.name
  if (binaryVrs.has(vr)) {
    const bytes = plantInBytes(random, writing)
    return { vr, value: Buffer.concat([bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)]) }
  }
  const around = ['', '', 'x ', 'Device of ', '1: ', 'Series-'][random.below(6)] ?? ''
  return textValue(vr, vr === 'CS' ? writing.toUpperCase() : `${around}${writing}`)
}

/** The object's own statement of who it is about. */
const identityOf = (person: Person): Map<string, RawElement> =>
  new Map([
    [tag.SpecificCharacterSet, textValue('CS', 'ISO_IR 192')],
    [tag.PatientName, textValue('PN', person.name)],
    [tag.PatientID, textValue('LO', person.id)],
    [tag.PatientBirthDate, textValue('DA', person.birthDate)],
    [tag.AccessionNumber, textValue('SH', person.accession)],
    [tag.PatientAddress, textValue('LO', person.address)],
    [tag.PatientTelephoneNumbers, textValue('SH', person.phone)],
    [tag.SOPInstanceUID, textValue('UI', person.uids.instance)],
    [tag.StudyInstanceUID, textValue('UI', person.uids.study)],
    [tag.SeriesInstanceUID, textValue('UI', person.uids.series)],
    ['00200052', textValue('UI', person.uids.frame)],
  ])

/** Attributes that the object did not have, of its own or in items of sequences. */
function addAttributes(random: Random, instance: Instance, person: Person): Map<string, RawElement> {
  const added = identityOf(person)
  const { transferSyntax } = instance.part10
  for (let left = 3 + random.below(6); left > 0; left -= 1) {
    const attribute = attributes[random.below(attributes.length)]
    if (!attribute || added.has(attribute.tag)) continue
    const value = plantValue(random, attribute.vr, person)
    const sequence = ['00081140', '00082218', '0040A730', '00080096', '00321064', '00400260'][random.below(9)]
    if (sequence === undefined || added.has(sequence)) added.set(attribute.tag, value)
    else {
      const item = elementBytes(attribute.tag, value, transferSyntax)
      added.set(sequence, { vr: 'SQ', value: itemBytes(item, transferSyntax.isBigEndian) })
    }
  }
  return added
}

/** An object about the person, with what is known of them at places that chance picks. */
export async function plant(instance: Instance, person: Person, random: Random): Promise<Buffer> {
  const decide = (context: ElementContext): Decision => {
    const { tag: key, vr } = context
    if (isStructural(key) || vr === 'SQ' || !random.isOneIn(8)) return 'keep'
    return textVrs.has(vr) || binaryVrs.has(vr) ? plantValue(random, vr, person) : 'keep'
  }
  const identity = { sopClassUID: instance.sopClassUID, sopInstanceUID: person.uids.instance }
  const pixels = await findWholePixels(instance)
  const planted = rewrite(
    instance,
    { decide, replacements: addAttributes(random, instance, person) },
    identity,
    pixels && { ...pixels, tail: plantBehindPixels(random, instance, person) },
  )
  const chunks: Uint8Array[] = []
  for await (const chunk of readRewritten(instance.part10.source, planted)) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  // The preamble is free for programs.
  bytes.write(person.name.slice(0, 60), 0, 'utf8')
  return plantBetweenPixels(bytes, random, person)
}

/** An element behind the pixel data. */
function plantBehindPixels(random: Random, { part10 }: Instance, person: Person): Buffer {
  return elementBytes('FFFCFFFC', plantValue(random, 'OB', person), part10.transferSyntax)
}

/** A comment right behind the start of compressed images, in the fragment, whose length grows by it. */
function plantBetweenPixels(bytes: Buffer, random: Random, person: Person): Buffer {
  const writing = Buffer.from(person.writings[random.below(person.writings.length)] ?? '')
  const segment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, writing.length + 2]), writing])
  const even = segment.length % 2 === 0 ? segment : Buffer.concat([Buffer.from([0xff]), segment])
  const fragment = bytes.indexOf(Buffer.from('feff00e0', 'hex'))
  const image = fragment === -1 ? -1 : bytes.indexOf(Buffer.from('ffd8ff', 'hex'), fragment)
  if (image < 8 || bytes.readUInt32LE(image - 8) !== 0xe000fffe) return bytes
  const copy = Buffer.concat([bytes.subarray(0, image + 2), even, bytes.subarray(image + 2)])
  copy.writeUInt32LE(copy.readUInt32LE(image - 4) + even.length, image - 4)
  return copy
}
