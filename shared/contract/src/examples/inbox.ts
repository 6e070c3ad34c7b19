import type { InboxEntry } from '../inbox.ts'
import { northClinic } from './ids.ts'

let entries = 0

/** Another one at each call, unread unless it says otherwise. */
export function anInboxEntry(overrides: Partial<InboxEntry> = {}): InboxEntry {
  entries += 1
  return {
    id: `00000000-0000-4000-8000-0000000e${String(entries).padStart(4, '0')}`,
    kind: 'ScanArrived',
    date: '2026-05-05T08:00:00.000Z',
    isUnread: true,
    count: 1,
    link: `/scan/patient/${northClinic.id}/1.2.3`,
    patient: 'Sample, Anna',
    what: 'CT Brain',
    who: null,
    state: null,
    ...overrides,
  }
}
