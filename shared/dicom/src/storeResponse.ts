import { toComment } from './comment.ts'
import { firstValue, listItems, type JsonDataset } from './dataset.ts'
import * as tag from './tags.ts'

/** The reference to a stored instance. */
export interface InstanceIdentity {
  readonly sopClassUID: string
  readonly sopInstanceUID: string
  readonly studyUID: string
  readonly seriesUID: string
}

/** The object is in the archive: since this request, or since an earlier one, byte for byte. */
export interface StoredOutcome extends InstanceIdentity {
  readonly kind: 'stored' | 'duplicate'
}

/** The object was not taken in. */
export interface RefusedOutcome {
  readonly kind: 'refused'
  /** One of `failureReason`. */
  readonly failureCode: number
  /** For people; empty when a server says none. */
  readonly sentence: string
  /** One word for programs, as `NOT_DICOM`; empty when a server says none. */
  readonly reason: string
  /** Absent when the object was not understood so far. */
  readonly identified?: InstanceIdentity
}

/** The outcome of one object that was sent to be stored. */
export type StoreOutcome = StoredOutcome | RefusedOutcome

/** An outcome and which object of the request it concerns, counted from 1. */
export interface NumberedOutcome {
  readonly part: number
  readonly outcome: StoreOutcome
}

/** Failure Reason (0008,1197) of an instance (PS3.18 section I.2.2; PS3.7 annex C). */
export const failureReason = {
  processingFailure: 0x0110,
  duplicateSOPInstance: 0x0111,
  sopClassNotSupported: 0x0122,
  outOfResources: 0xa700,
  dataSetDoesNotMatchSOPClass: 0xa900,
  cannotUnderstand: 0xc000,
  referencedTransferSyntaxNotSupported: 0xc122,
} as const

/**
 * Warning Reason (0008,1196) of a duplicate. PS3.18 section I.2.1 has no code for "it was there already"; of those that
 * it has, this one is the sign that nothing was stored anew.
 */
export const duplicateWarning = 0xb007

/**
 * Private elements of a failed item (PS3.5 section 7.8.1): the reason in one word, which object of the request it was,
 * and the whole sentence for people, of which the Error Comment has what fits.
 */
const privateCreator = { tag: '00090010', name: 'DMP' } as const
const reasonWord = '00091001'
const partNumber = '00091002'
const wholeSentence = '00091003'

const toReferences = ({ sopClassUID, sopInstanceUID }: InstanceIdentity): JsonDataset => ({
  [tag.ReferencedSOPClassUID]: { vr: 'UI', Value: [sopClassUID] },
  [tag.ReferencedSOPInstanceUID]: { vr: 'UI', Value: [sopInstanceUID] },
})

const toFailedItem = (part: number, outcome: RefusedOutcome): JsonDataset => ({
  ...(outcome.identified && toReferences(outcome.identified)),
  [tag.ErrorComment]: { vr: 'LO', Value: [toComment(outcome.sentence)] },
  [tag.FailureReason]: { vr: 'US', Value: [outcome.failureCode] },
  [privateCreator.tag]: { vr: 'LO', Value: [privateCreator.name] },
  [reasonWord]: { vr: 'CS', Value: [outcome.reason] },
  [partNumber]: { vr: 'IS', Value: [part] },
  [wholeSentence]: { vr: 'LT', Value: [outcome.sentence] },
})

const toStoredItem = (outcome: StoredOutcome, origin: string): JsonDataset => ({
  ...toReferences(outcome),
  [tag.RetrieveURL]: {
    vr: 'UR',
    Value: [
      `${origin}/dicom-web/studies/${outcome.studyUID}/series/${outcome.seriesUID}/instances/${outcome.sopInstanceUID}`,
    ],
  },
  ...(outcome.kind === 'duplicate' && { [tag.WarningReason]: { vr: 'US', Value: [duplicateWarning] } }),
})

const toSequence = (key: string, items: readonly JsonDataset[]): JsonDataset =>
  items.length > 0 ? { [key]: { vr: 'SQ', Value: items } } : {}

/**
 * The response of a store transaction (PS3.18 section 10.5.3, table 10.5.3-1): the stored objects, the failed ones, and
 * why. Addresses begin with `origin`, or are relative to the server's.
 *
 * @example writeStoreResponse([{ part: 1, outcome: { kind: 'stored', ...identity } }])
 */
export function writeStoreResponse(outcomes: readonly NumberedOutcome[], origin = ''): JsonDataset {
  const storedItems = outcomes.flatMap(({ outcome }) => (outcome.kind === 'refused' ? [] : [outcome]))
  const failed = outcomes.flatMap(({ part, outcome }) => (outcome.kind === 'refused' ? [{ part, outcome }] : []))
  const toItems = (isIdentified: boolean) =>
    failed
      .filter(({ outcome }) => (outcome.identified !== undefined) === isIdentified)
      .map(({ part, outcome }) => toFailedItem(part, outcome))
  const studies = [...new Set(storedItems.map(({ studyUID }) => studyUID))]
  return {
    ...(studies.length === 1 && {
      [tag.RetrieveURL]: { vr: 'UR', Value: [`${origin}/dicom-web/studies/${studies[0]}`] },
    }),
    ...toSequence(tag.FailedSOPSequence, toItems(true)),
    ...toSequence(
      tag.ReferencedSOPSequence,
      storedItems.map((outcome) => toStoredItem(outcome, origin)),
    ),
    ...toSequence(tag.OtherFailuresSequence, toItems(false)),
  }
}

const text = (dataset: JsonDataset, key: string): string => String(firstValue(dataset, key) ?? '')

function toIdentity(item: JsonDataset): InstanceIdentity {
  const [, studyUID = '', seriesUID = ''] =
    /\/studies\/([\d.]+)(?:\/series\/([\d.]+))?/.exec(text(item, tag.RetrieveURL)) ?? []
  return {
    sopClassUID: text(item, tag.ReferencedSOPClassUID),
    sopInstanceUID: text(item, tag.ReferencedSOPInstanceUID),
    studyUID,
    seriesUID,
  }
}

const toRefused = (item: JsonDataset): RefusedOutcome => ({
  kind: 'refused',
  failureCode: Number(firstValue(item, tag.FailureReason) ?? failureReason.cannotUnderstand),
  // Servers of before have no other than the comment.
  sentence: text(item, wholeSentence) || text(item, tag.ErrorComment),
  reason: text(item, reasonWord),
  ...(text(item, tag.ReferencedSOPInstanceUID) !== '' && { identified: toIdentity(item) }),
})

const toStored = (item: JsonDataset): StoredOutcome => ({
  kind: text(item, tag.WarningReason) === String(duplicateWarning) ? 'duplicate' : 'stored',
  ...toIdentity(item),
})

/**
 * The outcome of each of `count` objects in a store response, in the order in which they were sent: failed ones by
 * their number, the others in their order. `undefined` stands for an object of which the response says nothing, and for
 * every object of a body that is no response.
 */
export function readStoreResponse(body: unknown, count: number): readonly (StoreOutcome | undefined)[] {
  const outcomes: (StoreOutcome | undefined)[] = Array.from({ length: count })
  if (typeof body !== 'object' || body === null) return outcomes
  const response = body as JsonDataset
  for (const item of [tag.FailedSOPSequence, tag.OtherFailuresSequence].flatMap((key) => listItems(response, key))) {
    // Other servers do not number what failed: of a single object it is clear.
    const index = Number(firstValue(item, partNumber) ?? (count === 1 ? 1 : 0)) - 1
    if (index >= 0 && index < count) outcomes[index] = toRefused(item)
  }
  const storedItems = [...listItems(response, tag.ReferencedSOPSequence)]
  return outcomes.map((outcome) => {
    if (outcome) return outcome
    const item = storedItems.shift()
    return item && toStored(item)
  })
}
