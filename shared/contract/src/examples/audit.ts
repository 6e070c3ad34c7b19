import type { AccessAlert } from '../alerts.ts'
import type { Activity, AuditCheck, AuditDetail, AuditRow } from '../audit.ts'
import { anId, northClinic } from './ids.ts'

export const anAuditRow = (over: Partial<AuditRow> = {}): AuditRow => ({
  id: anId(60),
  at: '2026-05-05T09:00:00.000Z',
  event: 'ScanViewed',
  outcome: 'success',
  actor: 'Ms Ada Berg',
  actorEmail: 'staff@example.org',
  organization: 'North-Clinic',
  subject: [{ key: 'seriesUID', value: '2.25.200' }],
  address: '192.0.2.10',
  ...over,
})

export const anActivity = (over: Partial<Activity> = {}): Activity => ({
  ...anAuditRow(),
  scan: {
    organizationId: northClinic.id,
    studyUID: '2.25.100',
    patientName: 'Sample, Ruth',
    description: 'Knee',
    modalities: ['MR'],
  },
  ...over,
})

export const anAuditDetail = (over: Partial<AuditDetail> = {}): AuditDetail => ({
  ...anAuditRow(),
  requestId: 'req-1',
  position: 7,
  hash: 'b'.repeat(64),
  previousHash: 'a'.repeat(64),
  isIntact: true,
  ...over,
})

export const anAuditCheck = (over: Partial<AuditCheck> = {}): AuditCheck => ({
  state: 'intact',
  isWhole: false,
  requestedAt: '2026-05-05T09:00:00.000Z',
  requestedBy: 'Ms Ada Berg',
  finishedAt: '2026-05-05T09:00:03.000Z',
  rows: 1234,
  chains: 1,
  heads: 12,
  breakCount: 0,
  breaks: [],
  ...over,
})

export const anAccessAlert = (over: Partial<AccessAlert> = {}): AccessAlert => ({
  id: anId(61),
  rule: 'ManyPatients',
  organizationId: northClinic.id,
  organization: 'North-Clinic',
  userId: anId(7),
  person: 'Ms Ada Berg',
  personEmail: 'staff@example.org',
  patients: 74,
  firstDate: '2026-05-05T09:00:00.000Z',
  lastDate: '2026-05-05T09:40:00.000Z',
  raisedDate: '2026-05-05T09:31:00.000Z',
  acknowledgedDate: null,
  acknowledgedBy: null,
  note: null,
  ...over,
})
