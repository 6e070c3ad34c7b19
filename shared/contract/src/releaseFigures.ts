import * as v from 'valibot'
import { endpoint, may } from './endpoint.ts'
import { exact } from './fields.ts'
import { PartName, ReleaseId } from './remote.ts'

const Text = v.string('Text.')
const Count = v.number('A number.')

/**
 * What people wait for, in milliseconds: until the screens of a part stand (`start`), until the first of their data do
 * (`firstRow`), and for the slowest of their answers to a click or key (`inp`). `cls`: how far what they look at was
 * moved, in thousandths of the page.
 */
export const pageTimeKinds = ['start', 'firstRow', 'inp', 'cls'] as const
export const PageTimeKind = v.picklist(pageTimeKinds, `A time is one of: ${pageTimeKinds.join(', ')}.`)
export type PageTimeKind = v.InferOutput<typeof PageTimeKind>

/** Of a page that is left alone for longer nothing is known. */
export const longestTime = 60_000
/** In one report. */
export const mostTimes = 40

const Value = v.pipe(
  v.number('The time must be a number.'),
  v.integer('The time must be in whole milliseconds.'),
  v.minValue(0, 'Times are not negative.'),
  v.maxValue(longestTime, 'This time is too long.'),
)

/** `open`: the page is there and has the part; told at its start and once an hour, with the value 0. */
export const PageTime = exact({
  part: PartName,
  releaseId: ReleaseId,
  what: v.picklist([...pageTimeKinds, 'open'], 'Text.'),
  value: Value,
})
export type PageTime = v.InferOutput<typeof PageTime>

/** Sent by pages in the background. The server skips what it cannot count. */
export const reportTimes = endpoint({
  method: 'POST',
  path: '/Release/reportTimes',
  summary: 'How long people waited for releases on a page, without saying who looked at what.',
  needs: 'nothing',
  bodyLimit: 8192,
  body: exact({
    times: v.pipe(
      v.array(PageTime, 'A list.'),
      v.minLength(1, 'The report is empty.'),
      v.maxLength(mostTimes, 'A list.'),
    ),
  }),
})

/** Three of four pages, and nineteen of twenty, needed no more than this; to the next step of a scale. */
export const ShownTime = v.object({ what: PageTimeKind, p75: Count, p95: Count, pages: Count })
export type ShownTime = v.InferOutput<typeof ShownTime>

/** The most that three of four pages may need; a kind that is left out may need what it does. */
export const TimeBudget = exact({ what: PageTimeKind, p75: v.pipe(Value, v.minValue(1, 'A number.')) })
export type TimeBudget = v.InferOutput<typeof TimeBudget>

export const PartFigures = v.object({
  part: PartName,
  /** Those that pages have, what is live first; a release is here for as long as there are times of it, 30 days. */
  releases: v.array(
    v.object({
      releaseId: ReleaseId,
      version: Text,
      state: v.picklist(['live', 'canary', 'earlier'], 'Text.'),
      /** Pages that were open within the last hour, and the most within one hour of the last 24. */
      openPages: Count,
      mostOpenPages: Count,
      times: v.array(ShownTime, 'A list.'),
    }),
    'A list.',
  ),
  budgets: v.array(v.object(TimeBudget.entries), 'A list.'),
})
export type PartFigures = v.InferOutput<typeof PartFigures>

export const getFigures = endpoint({
  method: 'GET',
  path: '/Release/getFigures',
  summary: 'Who still has which release of one part, and how long people wait for each.',
  needs: may('Release', 'Get'),
  isForMachines: true,
  query: exact({ part: PartName }),
  answer: PartFigures,
})

/** All of them at once; what is left out has none. */
export const setBudgets = endpoint({
  method: 'PUT',
  path: '/Release/setBudgets/:part',
  summary: 'Say how long people may wait for a part before its team is told.',
  needs: may('Release', 'Publish'),
  isForMachines: true,
  params: exact({ part: PartName }),
  body: exact({
    budgets: v.pipe(
      v.array(TimeBudget, 'A list.'),
      v.maxLength(pageTimeKinds.length, 'Name each kind once.'),
      v.check((list) => new Set(list.map(({ what }) => what)).size === list.length, 'Name each kind once.'),
    ),
  }),
  answer: PartFigures,
})
