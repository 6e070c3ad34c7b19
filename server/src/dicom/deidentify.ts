import { formatTag, isPrivateTag, tag, toParserKey, type Tag } from '@dmp/dicom'
import { findDeidentificationRule, toAction, type DeidentificationAction } from '@dmp/dicom/deidentification'
import type { DataSet } from 'dicom-parser'
import { text } from './attributes.ts'
import { Charset } from './charset.ts'
import { findKeyword } from './dictionary.ts'
import { elementBytes, itemBytes, textValue, type RawElement } from './elementWriter.ts'
import { hasAnyWord, listIdentifyingWords } from './identifyingWords.ts'
import type { Instance } from './instance.ts'
import { rewrite, type Decision, type ElementContext, type Rewriting, type Rewritten } from './rewrite.ts'
import { createPseudonym, createUidMapper } from './uidMap.ts'

/** How often each attribute was changed by which rule, and warnings that a person should check. */
export interface DeidentificationReport {
  readonly counts: Map<string, number>
  readonly warnings: Set<string>
}

/** The object cannot be de-identified; nothing of it is copied. */
export class CannotDeidentify extends Error {}

export const createReport = (): DeidentificationReport => ({ counts: new Map(), warnings: new Set() })

const profileName = 'DICOM PS3.15 Annex E Basic Profile'
/** The dummy date as the product shows dates; it stands for "no date". */
export const dummyDate = '1900-01-01'
const dummyTexts: Record<string, string> = {
  DA: '19000101',
  TM: '000000',
  DT: '19000101000000',
  PN: 'Anonymous',
  AS: '000Y',
  DS: '0',
  IS: '0',
  UR: 'urn:anonymous',
  AE: 'ANONYMIZED',
  CS: 'ANONYMIZED',
  SH: 'ANONYMIZED',
  LO: 'ANONYMIZED',
  ST: 'ANONYMIZED',
  LT: 'ANONYMIZED',
  UC: 'ANONYMIZED',
  UT: 'ANONYMIZED',
}
/** Encapsulated documents carry names on pages that cannot be judged here. */
const encapsulatedDocument = /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.104\./
/** PET images must have series date and time (PS3.3 C.8.9.1); enhanced objects must have many more attributes. */
const positronEmission = /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.(128|130)(\.|$)/
/** Modalities whose images often have text burned into their pixels. */
const modalitiesWithText = new Set(['US', 'SC', 'OT', 'ES', 'XC', 'GM', 'SM', 'RF', 'XA', 'IVUS', 'OP', 'DOC'])

/** UIDs without the blanks and zeros that pad values to an even length. */
const withoutFill = (uids: string): string => uids.replace(/[\0 ]+/g, '')

/** Replaces every UID that DICOM itself did not register, in each of several values. */
function replaceUids(value: Buffer, map: (uid: string) => string): RawElement {
  const uids = value
    .toString('latin1')
    .split('\\')
    .map((uid) => map(withoutFill(uid)))
  return { vr: 'UI', value: Buffer.from(uids.join('\\'), 'latin1') }
}

function toDummy(vr: string): Decision {
  const dummyText = dummyTexts[vr]
  // Sequences, numbers and binary values have no dummy that would be neutral.
  return dummyText === undefined ? 'empty' : textValue(vr, dummyText)
}

class Deidentifier implements Rewriting {
  readonly replacements: ReadonlyMap<string, RawElement>
  readonly #report: DeidentificationReport
  readonly #map: (uid: string) => string
  readonly #needsValues: boolean
  readonly #words: readonly string[]
  readonly #charset: Charset

  constructor(
    instance: Instance,
    secret: Uint8Array,
    report: DeidentificationReport,
    labels: ReadonlyMap<string, RawElement>,
  ) {
    const { dataSet, header, part10 } = instance
    this.#report = report
    this.#map = createUidMapper(secret)
    this.#needsValues =
      dataSet.elements[toParserKey(tag.SharedFunctionalGroupsSequence)] !== undefined ||
      positronEmission.test(instance.sopClassUID)
    this.#charset = readCharset(dataSet)
    this.#words = listIdentifyingWords(dataSet, this.#charset)
    const alias = createPseudonym(secret, text(header, tag.PatientID) ?? '')
    this.replacements = new Map<string, RawElement>([
      [tag.PatientName, textValue('PN', alias)],
      [tag.PatientID, textValue('LO', alias)],
      [tag.PatientIdentityRemoved, textValue('CS', 'YES')],
      [tag.DeidentificationMethod, textValue('LO', profileName)],
      [tag.DeidentificationMethodCodeSequence, createProfileCode(part10.transferSyntax)],
      [tag.LongitudinalTemporalInformationModified, textValue('CS', 'REMOVED')],
      ...labels,
    ])
    this.#note(tag.PatientName, 'replaced by PS3.15 E.1-1 Z')
    this.#note(tag.PatientID, 'replaced by PS3.15 E.1-1 ZD')
  }

  decide(context: ElementContext): Decision {
    if (isPrivateTag(context.tag)) {
      this.#count('private attributes: removed by PS3.15 E.1-1 X')
      return 'remove'
    }
    const rule = findDeidentificationRule(context.tag)
    const action = rule && toAction(rule.action, this.#needsValues)
    if (rule && action && action !== 'uid') return this.#apply(context, action, rule.rule)
    if (findKeyword(context.tag) === undefined)
      return this.#remove(context, 'because it is not in the DICOM dictionary')
    if (context.vr === 'SQ')
      return context.element.items ? 'keep' : this.#remove(context, 'because the sequence cannot be read')
    if (context.vr === 'UN') return this.#remove(context, 'because its value representation is unknown')
    // Some writers put UIDs into text attributes: the standard's table decides, whatever VR the object states.
    if (context.vr === 'UI' || action === 'uid') return this.#replaceUids(context)
    if (hasAnyWord(this.#words, context.value(), this.#charset))
      return this.#remove(context, 'because it held a name or number of the patient or staff')
    return 'keep'
  }

  #apply({ tag, vr }: ElementContext, action: Exclude<DeidentificationAction, 'uid'>, rule: string): Decision {
    if (action === 'keep') return 'keep'
    this.#note(tag, `${{ remove: 'removed', empty: 'emptied', replace: 'replaced' }[action]} by ${rule}`)
    return action === 'replace' ? toDummy(vr) : action
  }

  #replaceUids(context: ElementContext): RawElement {
    const value = context.value()
    const replacement = replaceUids(value, this.#map)
    if (replacement.value.toString('latin1') !== withoutFill(value.toString('latin1')))
      this.#note(context.tag, 'replaced by PS3.15 E.1-1 U')
    return replacement
  }

  #remove({ tag }: ElementContext, reason: string): Decision {
    this.#note(tag, `removed ${reason}`)
    return 'remove'
  }

  #note(tag: Tag, change: string): void {
    this.#count(`${formatTag(tag)} ${findKeyword(tag) ?? 'unknown'}: ${change}`)
  }

  #count(line: string): void {
    this.#report.counts.set(line, (this.#report.counts.get(line) ?? 0) + 1)
  }
}

const readCharset = (dataSet: DataSet): Charset =>
  new Charset(dataSet.string(toParserKey(tag.SpecificCharacterSet)) ?? '')

function createProfileCode(encoding: { isExplicit: boolean; isBigEndian: boolean }): RawElement {
  const code = [
    [tag.CodeValue, 'SH', '113100'],
    [tag.CodingSchemeDesignator, 'SH', 'DCM'],
    [tag.CodeMeaning, 'LO', 'Basic Application Confidentiality Profile'],
  ] as const
  return {
    vr: 'SQ',
    value: itemBytes(
      Buffer.concat(code.map(([tag, vr, value]) => elementBytes(tag, textValue(vr, value), encoding))),
      encoding.isBigEndian,
    ),
  }
}

function addWarnings({ header }: Instance, { warnings }: DeidentificationReport): void {
  const modality = text(header, tag.Modality) ?? ''
  const burnedIn = text(header, tag.BurnedInAnnotation)
  if (burnedIn === 'YES')
    warnings.add(
      'This object is marked as having text burned into its pixels. Pixels are never changed: check them before you share them.',
    )
  else if (burnedIn !== 'NO' && modalitiesWithText.has(modality))
    warnings.add(
      `Images of modality ${modality} often have text burned into their pixels. Pixels are never changed: check them before you share them.`,
    )
  if (modality === 'CT' || modality === 'MR' || modality === 'PT') {
    if (/HEAD|BRAIN|FACE|SKULL|NECK/i.test(text(header, tag.BodyPartExamined) ?? ''))
      warnings.add('A face can be reconstructed from images of the head.')
  }
}

/**
 * Copies an object after the Basic Profile: new UIDs, nothing that names people, pixel data byte for byte. `labels` are
 * added afterwards.
 */
export async function deidentify(
  instance: Instance,
  secret: Uint8Array,
  report: DeidentificationReport,
  labels: ReadonlyMap<string, RawElement> = new Map(),
): Promise<Rewritten> {
  if (encapsulatedDocument.test(instance.sopClassUID))
    throw new CannotDeidentify('Encapsulated documents cannot be de-identified. Nothing was copied.')
  addWarnings(instance, report)
  const rewriting = new Deidentifier(instance, secret, report, labels)
  return rewrite(instance, rewriting, {
    sopClassUID: instance.sopClassUID,
    sopInstanceUID: createUidMapper(secret)(instance.sopInstanceUID),
  })
}

/** Copies an object under new UIDs and leaves everything else as it is. */
export async function copyUnderNewUids(instance: Instance, secret: Uint8Array): Promise<Rewritten> {
  const map = createUidMapper(secret)
  const rewriting: Rewriting = {
    replacements: new Map(),
    decide: (element) =>
      element.vr === 'UI' && !isPrivateTag(element.tag) ? replaceUids(element.value(), map) : 'keep',
  }
  return rewrite(instance, rewriting, {
    sopClassUID: instance.sopClassUID,
    sopInstanceUID: map(instance.sopInstanceUID),
  })
}
