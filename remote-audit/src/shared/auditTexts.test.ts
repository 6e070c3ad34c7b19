import { auditEvents } from '@dmp/contract/auditEvents'
import { eventLabels, formatEvent } from './auditTexts.ts'

it('has words for every event that a server writes, each its own, and for no other', () => {
  expect(Object.keys(eventLabels).sort()).toEqual([...auditEvents].sort())
  expect(new Set(auditEvents.map(formatEvent)).size).toBe(auditEvents.length)
})
