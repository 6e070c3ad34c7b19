import * as v from 'valibot'

/** For how long something has been waiting, in days since it came: from, and below which. */
export const waits = {
  day: { from: 0, below: 1, text: 'Less than a day' },
  week: { from: 1, below: 7, text: '1 to 7 days' },
  month: { from: 7, below: 30, text: '7 to 30 days' },
  longer: { from: 30, below: undefined, text: 'More than 30 days' },
} as const
export type WaitName = keyof typeof waits
export const waitNames = Object.keys(waits) as [WaitName, ...WaitName[]]

export const Wait = v.picklist(waitNames, 'The wait can be day, week, month or longer.')

/** How many wait for how long, the shortest wait first; every wait is there. */
export const WaitCounts = v.array(
  v.object({ wait: Wait, count: v.number('A number.'), isMore: v.boolean('True or false.') }),
  'A list.',
)
export type WaitCounts = v.InferOutput<typeof WaitCounts>
