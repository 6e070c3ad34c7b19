import type { ModuleName } from '@dmp/contract'
import type { Generated } from 'kysely'

/** 3.09: statuses, types and severities of complaints. */
export interface LookupTable {
  id: string
  name: string
  is_default: boolean
  is_active: boolean
  position: number
}

export interface ComplaintTable {
  id: Generated<string>
  /** Counted without gaps over all organizations; shown as C-000123. */
  number: number
  organization_id: string
  created_by_id: string
  /** Shown name of the complainant at that time. */
  created_by: string
  module: ModuleName
  type_id: string
  severity_id: string
  status_id: string
  description: string
  created_date: Date
  updated_date: Date
  /** Who has it in hand, one of the provider's staff. */
  assignee_id: Generated<string | null>
  assigned_date: Generated<Date | null>
  /** YYYY-MM-DD. */
  due_date: Generated<string | null>
}

/** One message between whoever made the complaint and the staff; newer ones have greater positions. */
export interface ComplaintMessageTable {
  id: Generated<string>
  complaint_id: string
  position: number
  created_by_id: string
  created_by: string
  text: string
  created_date: Generated<Date>
}

/** One row of the status history (2.49); the newest is the current status. */
export interface ComplaintHistoryTable {
  id: Generated<string>
  complaint_id: string
  position: number
  status_id: string
  created_by_id: string
  created_by: string
  comment: string | null
  created_date: Date
}

export interface ComplaintImageTable {
  complaint_id: string
  filename: string
  media_type: string
  content: Buffer
}

/** Kept by a trigger: what the pictures of an organization take of its room. */
export interface ComplaintPictureTotalTable {
  organization_id: string
  byte_size: string
}

export interface ComplaintTables {
  complaint_statuses: LookupTable
  complaint_severities: LookupTable
  complaint_types: LookupTable
  /** One row: the last number given. A sequence would leave gaps where an insert was rolled back. */
  complaint_numbers: { last: number }
  complaints: ComplaintTable
  complaint_history: ComplaintHistoryTable
  complaint_images: ComplaintImageTable
  complaint_messages: ComplaintMessageTable
  complaint_picture_totals: ComplaintPictureTotalTable
}
