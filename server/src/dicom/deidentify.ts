import type { DataSet } from 'dicom-parser'
import { text } from './attributes.ts'
import { Charset } from './charset.ts'
import { ruleOf, type TableAction } from './deidentifyTable.ts'
import { isPrivate, keywordOf } from './dictionary.ts'
import { elementBytes, itemBytes, textValue, type RawElement } from './elementWriter.ts'
import { holdsWord, identifyingWords } from './identifyingWords.ts'
import type { Instance } from './read.ts'
import { rewrite, type Decision, type Met, type Rewriting, type Rewritten } from './rewrite.ts'
import { pseudonym, uidMapper } from './uidMap.ts'

/** What was done, by attribute and rule, how often; and what a person should look at. */
export interface DeidentificationReport {
  readonly done: Map<string, number>
  readonly warnings: Set<string>
}

/** An object that cannot be de-identified; nothing of it is copied. */
export class CannotDeidentify extends Error {}

export const newReport = (): DeidentificationReport => ({ done: new Map(), warnings: new Set() })

const PROFILE = 'DICOM PS3.15 Annex E Basic Profile'
/** As people read it: a date that says that there is none. */
export const dummyDate = '1900-01-01'
const dummies: Record<string, string> = {
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
/** Documents carry names in pages that nobody can judge here. */
const documents = /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.104\./
/** PET images must say series date and time (PS3.3 C.8.9.1), like all enhanced objects much else. */
const positronEmission = /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.(128|130)(\.|$)/
/** Kinds of images that often have text drawn into them. */
const drawnOn = new Set(['US', 'SC', 'OT', 'ES', 'XC', 'GM', 'SM', 'RF', 'XA', 'IVUS', 'OP', 'DOC'])

/** Replaces every UID that is not one of DICOM's own; of several values each. */
function mappedUids(value: Buffer, map: (uid: string) => string): RawElement {
  const uids = value
    .toString('latin1')
    .split('\\')
    .map((uid) => map(uid.replace(/[\0 ]+/g, '')))
  return { vr: 'UI', value: Buffer.from(uids.join('\\'), 'latin1') }
}

/** Where the standard lets the type of the attribute choose: some objects need values, others do with empty ones. */
function chosen(action: TableAction, needsValues: boolean): 'X' | 'Z' | 'D' {
  if (action.length === 1) return action as 'X' | 'Z' | 'D'
  return action.includes('D') && needsValues ? 'D' : 'Z'
}

function dummy(met: Met): Decision {
  const words = dummies[met.vr]
  // Sequences, numbers and binary values have no dummy that says nothing.
  return words === undefined ? 'empty' : textValue(met.vr, words)
}

class Deidentifier implements Rewriting {
  readonly set: ReadonlyMap<string, RawElement>
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
    this.#map = uidMapper(secret)
    this.#needsValues = dataSet.elements['x52009229'] !== undefined || positronEmission.test(instance.sopClassUID)
    this.#charset = charsetOf(dataSet)
    this.#words = identifyingWords(dataSet, this.#charset)
    const alias = pseudonym(secret, text(header, '00100020') ?? '')
    this.set = new Map<string, RawElement>([
      ['00100010', textValue('PN', alias)],
      ['00100020', textValue('LO', alias)],
      ['00120062', textValue('CS', 'YES')],
      ['00120063', textValue('LO', PROFILE)],
      ['00120064', profileCode(part10.transferSyntax)],
      ['00280303', textValue('CS', 'REMOVED')],
      ...labels,
    ])
    this.#note('00100010 replaced', 'PS3.15 E.1-1 Z')
    this.#note('00100020 replaced', 'PS3.15 E.1-1 ZD')
  }

  #note(what: string, rule: string): void {
    const [tag = '', verb = ''] = what.split(' ')
    this.#count(`(${tag.slice(0, 4)},${tag.slice(4)}) ${keywordOf(tag) ?? 'unknown'}: ${verb} by ${rule}`)
  }

  #count(line: string): void {
    this.#report.done.set(line, (this.#report.done.get(line) ?? 0) + 1)
  }

  decide(met: Met): Decision {
    if (isPrivate(met.tag)) {
      this.#count('private attributes: removed by PS3.15 E.1-1 X')
      return 'remove'
    }
    const ruled = ruleOf(met.tag)
    if (ruled) return this.#ruled(met, ruled)
    if (keywordOf(met.tag) === undefined) return this.#remove(met, 'not in the dictionary, so nobody can judge it')
    if (met.vr === 'UI') {
      const mapped = mappedUids(met.value(), this.#map)
      if (
        !mapped.value.equals(
          Buffer.from(
            met
              .value()
              .toString('latin1')
              .replace(/[\0 ]+/g, ''),
            'latin1',
          ),
        )
      )
        this.#note(`${met.tag} replaced`, 'PS3.15 E.1-1 U')
      return mapped
    }
    if (met.vr === 'SQ')
      return met.element.items ? 'keep' : this.#remove(met, 'a sequence that cannot be read, so nobody can judge it')
    if (met.vr === 'UN') return this.#remove(met, 'of unknown kind, so nobody can judge it')
    if (holdsWord(this.#words, met.value(), this.#charset))
      return this.#remove(met, 'it held a name or number of the patient or staff')
    return 'keep'
  }

  #ruled(met: Met, { action, rule }: { action: TableAction; rule: string }): Decision {
    const choice = chosen(action, this.#needsValues)
    if (choice === 'X') return this.#remove(met, rule)
    this.#note(`${met.tag} ${choice === 'Z' ? 'emptied' : 'replaced'}`, rule)
    return choice === 'Z' ? 'empty' : dummy(met)
  }

  #remove(met: Met, rule: string): Decision {
    this.#note(`${met.tag} removed`, rule)
    return 'remove'
  }
}

const charsetOf = (dataSet: DataSet): Charset => new Charset(dataSet.string('x00080005') ?? '')

function profileCode(encoding: { isExplicit: boolean; isBigEndian: boolean }): RawElement {
  const code = [
    ['00080100', 'SH', '113100'],
    ['00080102', 'SH', 'DCM'],
    ['00080104', 'LO', 'Basic Application Confidentiality Profile'],
  ] as const
  return {
    vr: 'SQ',
    value: itemBytes(
      Buffer.concat(code.map(([tag, vr, value]) => elementBytes(tag, textValue(vr, value), encoding))),
      encoding.isBigEndian,
    ),
  }
}

function warn({ header }: Instance, { warnings }: DeidentificationReport): void {
  const modality = text(header, '00080060') ?? ''
  const burnedIn = text(header, '00280301')
  if (burnedIn === 'YES')
    warnings.add(
      'The object says that text is burned into its pixels. Pixels are never changed: look at them before you pass them on.',
    )
  else if (burnedIn !== 'NO' && drawnOn.has(modality))
    warnings.add(
      `Images of modality ${modality} often have text burned into their pixels. Pixels are never changed: look at them before you pass them on.`,
    )
  if (modality === 'CT' || modality === 'MR' || modality === 'PT') {
    if (/HEAD|BRAIN|FACE|SKULL|NECK/i.test(text(header, '00180015') ?? ''))
      warnings.add('A face can be reconstructed from images of the head.')
  }
}

/**
 * A copy after the Basic Profile: new UIDs, nothing that names people; pixel data byte for byte. `labels` are put on it
 * afterwards.
 */
export async function deidentify(
  instance: Instance,
  secret: Uint8Array,
  report: DeidentificationReport,
  labels: ReadonlyMap<string, RawElement> = new Map(),
): Promise<Rewritten> {
  if (documents.test(instance.sopClassUID))
    throw new CannotDeidentify('Encapsulated documents cannot be de-identified; nothing of it was copied.')
  warn(instance, report)
  const rewriting = new Deidentifier(instance, secret, report, labels)
  return rewrite(instance, rewriting, {
    sopClassUID: instance.sopClassUID,
    sopInstanceUID: uidMapper(secret)(instance.sopInstanceUID),
  })
}

/** A copy under new UIDs with everything else as it was. */
export async function copyUnderNewUids(instance: Instance, secret: Uint8Array): Promise<Rewritten> {
  const map = uidMapper(secret)
  const rewriting: Rewriting = {
    set: new Map(),
    decide: (met) => (met.vr === 'UI' && !isPrivate(met.tag) ? mappedUids(met.value(), map) : 'keep'),
  }
  return rewrite(instance, rewriting, {
    sopClassUID: instance.sopClassUID,
    sopInstanceUID: map(instance.sopInstanceUID),
  })
}
