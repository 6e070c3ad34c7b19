import * as v from 'valibot'
import { endpoint, may } from '../endpoint.ts'
import { Uuid, exact } from '../fields.ts'
import { pageQuery } from '../paging.ts'

const Text = v.string('Text.')
const Numeric = v.number('A number.')

/** Not in the specification: the dashboard shows what arrived. Without `organizationId`, the viewer's own. */
export const getArrivals = endpoint({
  method: 'GET',
  path: '/Scan/getArrivals',
  summary: 'How many studies arrived on each of the last fourteen days, and of which modalities in the last seven.',
  needs: may('Scan', 'List'),
  query: exact({ organizationId: v.optional(Uuid), timeZone: pageQuery(['day']).timeZone }),
  answer: v.object({
    /** Days of the viewer, in `timeZone`, today last. A study counts on the day its newest series came. */
    days: v.array(v.object({ day: Text, studies: Numeric }), 'A list.'),
    /** Of the last seven days, the most frequent first. */
    modalities: v.array(v.object({ modality: Text, studies: Numeric }), 'A list.'),
    /** There were more; only the newest `limits.countedArrivals` are counted. */
    isMore: v.boolean('True or false.'),
  }),
})

/** Not in the specification: the dashboard shows which share links work. */
export const countShares = endpoint({
  method: 'GET',
  path: '/Scan/countShares',
  summary: 'How many share links of an organization work, end within a day, and were never opened.',
  needs: may('Scan', 'Share'),
  query: exact({ organizationId: v.optional(Uuid) }),
  answer: v.object({ open: Numeric, endSoon: Numeric, unopened: Numeric, isMore: v.boolean('True or false.') }),
})
