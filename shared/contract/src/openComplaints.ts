import { endpoint, may } from './endpoint.ts'
import { WaitCounts } from './waits.ts'

/** Not in the specification: the dashboard shows the open complaints by age. */
export const countOpen = endpoint({
  method: 'GET',
  path: '/Complaint/countOpen',
  summary: 'How many complaints that the viewer may see are open, by age.',
  needs: may('Complaint', 'List'),
  answer: WaitCounts,
})
