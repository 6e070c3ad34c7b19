import type { Numbered } from '../scan/intake/intakeFlow.ts'
import type { Identified, IntakeOutcome } from '../scan/intake/intake.ts'

const references = ({ sopClassUID, sopInstanceUID }: Identified) => ({
  '00081150': { vr: 'UI', Value: [sopClassUID] },
  '00081155': { vr: 'UI', Value: [sopInstanceUID] },
})

type Refused = Extract<IntakeOutcome, { kind: 'refused' }>

/** Reason as number and as text; the private elements tell which part it was and why in one word. */
const failure = (part: number, one: Refused) => ({
  ...(one.identified && references(one.identified)),
  '00000902': { vr: 'LO', Value: [one.sentence] },
  '00081197': { vr: 'US', Value: [one.failureCode] },
  '00090010': { vr: 'LO', Value: ['DMP'] },
  '00091001': { vr: 'CS', Value: [one.reason] },
  '00091002': { vr: 'IS', Value: [part] },
})

/** PS3.18 table 10.5.3-1: what was stored and what failed, with a reason each. */
export function storeResponse(outcomes: readonly Numbered[]): Record<string, unknown> {
  const stored = outcomes.flatMap(({ outcome }) => (outcome.kind === 'refused' ? [] : [outcome]))
  const failed = outcomes.flatMap(({ part, outcome }) => (outcome.kind === 'refused' ? [{ part, outcome }] : []))
  const sequence = (tag: string, values: readonly unknown[]) =>
    values.length > 0 ? { [tag]: { vr: 'SQ', Value: values } } : {}
  const studies = [...new Set(stored.map((one) => one.studyUID))]
  return {
    ...(studies.length === 1 && { '00081190': { vr: 'UR', Value: [`/dicom-web/studies/${studies[0]}`] } }),
    ...sequence(
      '00081198',
      failed.filter((one) => one.outcome.identified).map((one) => failure(one.part, one.outcome)),
    ),
    ...sequence(
      '0008119A',
      failed.filter((one) => !one.outcome.identified).map((one) => failure(one.part, one.outcome)),
    ),
    ...sequence(
      '00081199',
      stored.map((one) => ({
        ...references(one),
        '00081190': {
          vr: 'UR',
          Value: [`/dicom-web/studies/${one.studyUID}/series/${one.seriesUID}/instances/${one.sopInstanceUID}`],
        },
        // Nothing was stored anew: the object was there already, byte for byte.
        ...(one.kind === 'duplicate' && { '00081196': { vr: 'US', Value: [0xb007] } }),
      })),
    ),
  }
}
