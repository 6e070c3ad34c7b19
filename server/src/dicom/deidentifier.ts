import { formatTag, isPrivateTag, tag, toParserKey, type Tag } from '@dmp/dicom'
import { findDeidentificationRule, toAction, type DeidentificationRule } from '@dmp/dicom/deidentification'
import { textValue, type RawElement } from '@dmp/dimse/elementWriter'
import { text } from './attributes.ts'
import type { DeidentificationReport } from './deidentify.ts'
import { isDefinedTerm } from './definedTerms.ts'
import { findKeyword, findVr, isRetired } from './dictionary.ts'
import { toCodeSequence, toDummy, toDummyOrEmpty } from './dummies.ts'
import type { IdentifyingFacts } from './identifyingFacts.ts'
import type { Instance } from './instance.ts'
import { isStandardCode } from './reportCodes.ts'
import type { Decision, ElementContext, Rewriting } from './rewrite.ts'
import { replaceUids, withoutFill } from './uidElements.ts'
import { createPseudonym, createUidMapper } from './uidMap.ts'

const profileName = 'DICOM PS3.15 Annex E Basic Profile'
const pixelOption = 'Clean Pixel Data Option'

/** Values that people type as they like: of these, none stays that no rule names. */
const freeTextVrs = new Set(['ST', 'LT', 'UT', 'UR', 'PN', 'DA', 'DT', 'TM'])
const textVrs = new Set([...freeTextVrs, 'LO', 'SH', 'CS', 'UC', 'AE', 'AS'])
const codedVrs = new Set(['CS', 'AE', 'AS'])
const numberVrs = new Set(['DS', 'IS'])
/** In a report, whose sequences are cleaned instead of removed: what is no code and no measurement goes. */
const reportTextVrs = new Set([...textVrs].filter((vr) => !codedVrs.has(vr)))
/** Objects whose dates and names must have values: PET (PS3.3 C.8.9.1), waveforms, reports, presentation states, … */
const needsValues = /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.(?:9|11|66|67|68|77\.1\.5|78|79|80|81|82|88|90|128|130)(?:\.|$)/
/** Parts of a code; what they say is judged by the scheme that defines it. */
const codeTags = new Set<string>([
  tag.CodeValue,
  tag.CodingSchemeDesignator,
  tag.CodeMeaning,
  '00080103',
  '00080119',
  '00080120',
])
const contentSequence = '0040A730'
const mayBeEmptySequences = new Set(['00400555'])

const heldFact = 'because it held a name, number, date or UID'

export class Deidentifier implements Rewriting {
  readonly replacements: ReadonlyMap<string, RawElement>
  readonly #report: DeidentificationReport
  readonly #map: (uid: string) => string
  readonly #needsValues: boolean
  readonly #facts: IdentifyingFacts

  constructor(
    instance: Instance,
    secret: Uint8Array,
    facts: IdentifyingFacts,
    report: DeidentificationReport,
    { additions, isLookedAt }: { additions: ReadonlyMap<string, RawElement>; isLookedAt: boolean },
  ) {
    const { dataSet, header, part10, sopClassUID } = instance
    this.#report = report
    this.#facts = facts
    this.#map = createUidMapper(secret)
    this.#needsValues =
      dataSet.elements[toParserKey(tag.SharedFunctionalGroupsSequence)] !== undefined || needsValues.test(sopClassUID)
    const alias = createPseudonym(secret, text(header, tag.PatientID) ?? '')
    this.replacements = new Map<string, RawElement>([
      [tag.PatientName, textValue('PN', alias)],
      [tag.PatientID, textValue('LO', alias)],
      [tag.PatientIdentityRemoved, textValue('CS', 'YES')],
      [tag.DeidentificationMethod, textValue('LO', [profileName, ...(isLookedAt ? [pixelOption] : [])].join('\\'))],
      [
        tag.DeidentificationMethodCodeSequence,
        toCodeSequence(
          [
            ['113100', 'Basic Application Confidentiality Profile'],
            ...(isLookedAt ? ([['113101', pixelOption]] as const) : []),
          ],
          part10.transferSyntax,
        ),
      ],
      [tag.LongitudinalTemporalInformationModified, textValue('CS', 'REMOVED')],
      ...additions,
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
    const isUid = rule && toAction(rule.action, this.#needsValues) === 'uid'
    if (rule && !isUid) return this.#applyRule(context, rule)
    const keyword = findKeyword(context.tag)
    if (keyword === undefined) return this.#remove(context, 'because it is not in the DICOM dictionary')
    if (context.vr === 'SQ')
      return context.element.items ? 'keep' : this.#remove(context, 'because the sequence cannot be read')
    if (context.vr === 'UN') return this.#remove(context, 'because its value representation is unknown')
    // The kind of the object, which a maker may have defined.
    if (context.tag === tag.SOPClassUID && context.path.length === 0) return 'keep'
    // Some writers put UIDs into text attributes: the standard's table decides, whatever VR the object states.
    if (context.vr === 'UI' || isUid) return this.#replaceUids(context, keyword)
    return this.#judgeValue(context)
  }

  #applyRule(context: ElementContext, { action: profileAction, rule }: DeidentificationRule): Decision {
    const action = toAction(profileAction, this.#needsValues)
    if (action === 'keep') return 'keep'
    if (context.vr === 'SQ' && action !== 'remove') {
      // A sequence that must have items keeps them, each cleaned like the object itself.
      if (action === 'replace') return this.#clean(context, rule)
      // One that may be missing must not be empty: the standard wants an item in most.
      if (profileAction.includes('X') && !mayBeEmptySequences.has(context.tag)) {
        this.#note(context.tag, `removed by ${rule}`)
        return 'remove'
      }
    }
    this.#note(
      context.tag,
      `${{ remove: 'removed', empty: 'emptied', replace: 'replaced', uid: '' }[action]} by ${rule}`,
    )
    return action === 'replace' ? toDummyOrEmpty(context.vr) : action === 'uid' ? 'keep' : action
  }

  #clean(context: ElementContext, rule: string): Decision {
    if (!context.element.items) return this.#remove(context, 'because the sequence cannot be read')
    this.#note(context.tag, `items cleaned by ${rule}`)
    return 'keep'
  }

  #replaceUids(context: ElementContext, keyword: string): RawElement {
    const value = context.value()
    const replacement = replaceUids(value, keyword, this.#map)
    if (replacement.value.toString('latin1') !== withoutFill(value.toString('latin1')))
      this.#note(context.tag, 'replaced by PS3.15 E.1-1 U')
    return replacement
  }

  /** Attributes that no rule names: texts that anybody may have written, then whatever repeats a fact. */
  #judgeValue(context: ElementContext): Decision {
    if (context.tag === tag.SpecificCharacterSet || context.element.length === 0) return 'keep'
    const isText = textVrs.has(context.vr)
    if (isText && this.#isFreeText(context)) return this.#hide(context, 'because nobody knows what people write there')
    if (numberVrs.has(context.vr))
      return this.#facts.inNumbers(context.value().toString('latin1')) ? this.#hide(context, heldFact) : 'keep'
    if (!isText) return this.#facts.inBytes(context.value()) ? this.#remove(context, heldFact) : 'keep'
    if (isDefinedTerm(context.tag, context.value().toString('latin1'))) return 'keep'
    if (!this.#facts.inTextBytes(context.value(), codedVrs.has(context.vr))) return 'keep'
    return context.vr === 'CS' ? this.#hideCodes(context) : this.#hide(context, heldFact)
  }

  #isFreeText({ tag: elementTag, vr, path, siblings }: ElementContext): boolean {
    if (codeTags.has(elementTag)) {
      // Codes of persons and places name them; those of a report name what was found.
      if (path.some((sequence) => sequence !== contentSequence && isCleaned(sequence))) return true
      return elementTag === tag.CodeMeaning && isInReport(path) && !isStandardCode(siblings)
    }
    if (freeTextVrs.has(vr) || freeTextVrs.has(findVr(elementTag) ?? '')) return true
    return reportTextVrs.has(vr) && (isRetired(elementTag) || path.some(isCleaned))
  }

  /** An attribute that the object may have to have keeps a value that says nothing. */
  #hide(context: ElementContext, reason: string): Decision {
    const needsValue = this.#needsValues || context.path.length > 0
    const dummy = toDummy(context.vr)
    if (!dummy) return this.#remove(context, reason)
    this.#note(context.tag, `${needsValue ? 'replaced' : 'emptied'} ${reason}`)
    return needsValue ? dummy : 'empty'
  }

  /** Of several defined terms, the others stay. */
  #hideCodes(context: ElementContext): Decision {
    const codes = context.value().toString('latin1').split('\\')
    if (codes.length === 1) return this.#hide(context, heldFact)
    this.#note(context.tag, `replaced ${heldFact}`)
    const cleanCodes = codes.map((code) => (this.#facts.inText(code, true) ? 'ANONYMIZED' : code))
    return textValue('CS', cleanCodes.join('\\'))
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

/** Sequences that the table wants replaced: they stay, and nothing inside of them that could be free text. */
const isCleaned = (sequence: Tag): boolean => {
  const rule = findDeidentificationRule(sequence)
  return rule !== undefined && toAction(rule.action, true) === 'replace'
}

const isInReport = (path: readonly Tag[]): boolean => path.includes(contentSequence) || path.includes('0040A043')
