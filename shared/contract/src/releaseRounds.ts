import * as v from 'valibot'
import { endpoint, may } from './endpoint.ts'
import { atMost, exact, Instant, maybe, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { SnapshotId } from './release.ts'
import { PartName, ReleaseId } from './remote.ts'

const Text = v.string('Text.')
const Count = v.pipe(v.number('A number.'), v.integer('A whole number.'), v.minValue(0, 'Not below 0.'))
const Line = (characters: number) =>
  v.pipe(
    Text,
    v.maxLength(characters, () => atMost(characters)),
    v.regex(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u, 'Use one line of text.'),
  )
const ClauseId = v.pipe(Text, v.regex(/^(?:\d\.\d\d|P\d\d)$/, 'A clause is 2.58, a promise P31.'))
const few = <S extends v.GenericSchema>(item: S, most: number) =>
  v.pipe(v.array(item, 'A list.'), v.maxLength(most, `At most ${most} entries.`))

/** `flaky`: it failed, and passed when it was tried again right away; `failed`: it failed at the second try as well. */
export const journeyOutcomes = ['passed', 'failed', 'flaky', 'skipped'] as const
export const journeyAreas = ['use', 'looks', 'accessibility'] as const
export const roundKinds = ['monitor', 'suite'] as const

/** How one journey of the browser suite went. It names no patient: what was on the page stays out of it. */
export const JourneyResult = exact({
  title: Line(limits.journeyTitleMaxChars),
  outcome: v.picklist(journeyOutcomes, `An outcome is one of: ${journeyOutcomes.join(', ')}.`),
  area: v.picklist(journeyAreas, `An area is one of: ${journeyAreas.join(', ')}.`),
  /** The parts that it is about; a failure can take back no other. */
  parts: few(PartName, 20),
  /** The clauses and promises that its title names. */
  clauses: few(ClauseId, 20),
  /** What failed, or why it was skipped. */
  sentence: v.optional(Line(limits.journeySentenceMaxChars)),
  /** Accessibility: states of screens that it looked at. */
  states: v.optional(Count),
})
export type JourneyResult = v.InferOutput<typeof JourneyResult>

/** One run of journeys against this deployment. */
export const Round = exact({
  kind: v.picklist(roundKinds, `A round is one of: ${roundKinds.join(', ')}.`),
  startedDate: Instant,
  endedDate: Instant,
  /** What its pages were made of. */
  snapshot: SnapshotId,
  parts: few(exact({ name: PartName, releaseId: ReleaseId }), 60),
  journeys: few(JourneyResult, limits.journeysPerRound),
  /** Clauses that no journey of the run names. */
  untried: v.optional(few(ClauseId, 600)),
})
export type Round = v.InferOutput<typeof Round>

/** A part whose release may be at fault: the failed journeys are to be tried once more, with the release before. */
export const Trial = v.object({
  part: PartName,
  releaseId: ReleaseId,
  /** The release before it. */
  previous: ReleaseId,
  /** Name and value of the cookie that gives a browser the release before, for some minutes. */
  cookie: Text,
})
export type Trial = v.InferOutput<typeof Trial>

/** Rounds are kept for people to look at; those of monitors count in the watch of a release. */
export const addRound = endpoint({
  method: 'POST',
  path: '/Release/addRound',
  summary: 'Tell how journeys went; the answer says what to try with the release before.',
  needs: may('Release', 'Watch'),
  isForMachines: true,
  bodyLimit: 262_144,
  body: Round,
  answer: v.object({ id: Uuid, trials: v.array(Trial, 'A list.') }),
})

/** `passed`: titles of the round's failed journeys that passed with the release before. */
export const judgeRound = endpoint({
  method: 'POST',
  path: '/Release/judgeRound',
  summary: 'Tell which failed journeys of a round pass with the release before; takes the release back if one does.',
  needs: may('Release', 'Watch'),
  isForMachines: true,
  body: exact({ id: Uuid, part: PartName, passed: few(JourneyResult.entries.title, limits.journeysPerRound) }),
  answer: v.object({ isTakenBack: v.boolean('Yes or no.'), because: Text }),
})

/** One round in a line. */
export const ShownRound = v.object({
  id: Uuid,
  kind: v.picklist(roundKinds, 'A kind of round.'),
  /** Name of the API token, or of the person. */
  by: Text,
  endedDate: Instant,
  seconds: Count,
  snapshot: SnapshotId,
  passed: Count,
  failed: Count,
  flaky: Count,
  skipped: Count,
  /** What became of it; null where nothing failed, or nothing was tried with the release before. */
  verdict: maybe(Text),
})
export type ShownRound = v.InferOutput<typeof ShownRound>

/** The newest result of a journey on pages of the live snapshot. */
export const ShownJourney = v.object({
  ...JourneyResult.entries,
  sentence: maybe(Text),
  date: Instant,
})
export type ShownJourney = v.InferOutput<typeof ShownJourney>

export const Quality = v.object({
  /** What is live for everybody; null where nothing is. */
  snapshot: maybe(SnapshotId),
  journeys: v.array(ShownJourney, 'A list.'),
  /** Of the newest whole run on the live snapshot; null where there was none. */
  untried: maybe(v.array(Text, 'A list.')),
  /** Newest first. */
  rounds: v.array(ShownRound, 'A list.'),
})
export type Quality = v.InferOutput<typeof Quality>

export const getQuality = endpoint({
  method: 'GET',
  path: '/Release/getQuality',
  summary: 'How journeys went with what is live, and the last rounds of monitors.',
  needs: may('Release', 'List'),
  answer: Quality,
})
