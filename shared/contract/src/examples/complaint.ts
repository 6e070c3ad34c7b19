import type { Complaint, ComplaintCare, ComplaintRow } from '../complaint.ts'
import { anId } from './ids.ts'

export const aComplaintRow = (over: Partial<ComplaintRow> = {}): ComplaintRow => ({
  id: anId(10),
  complaintNumber: 'C-000010',
  createdByUser: 'Ms Ada Berg',
  moduleAlias: 'Scan',
  type: 'Defect',
  description: 'The slice slider jumps back to the first slice.',
  createdDate: '2026-03-02T08:15:00.000Z',
  updatedDate: '2026-03-04T16:40:00.000Z',
  severity: 'Medium',
  currentStatus: 'New',
  organization: 'North-Clinic',
  ...over,
})

export const aComplaint = (over: Partial<Complaint> = {}): Complaint => ({
  ...aComplaintRow(),
  statusList: [
    {
      id: anId(11),
      status: 'New',
      createdByUser: 'Ms Ada Berg',
      createdDate: '2026-03-03T11:20:00.000Z',
      comment: null,
    },
  ],
  imageData: null,
  ...over,
})

export const aComplaintCare = (over: Partial<ComplaintCare> = {}): ComplaintCare => ({
  assignee: null,
  dueDate: null,
  isOverdue: false,
  updatedDate: '2026-03-02T08:15:00.000Z',
  mayWrite: false,
  messages: [],
  ...over,
})
