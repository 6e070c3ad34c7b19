import type { InboxChoice, InboxKind } from '@dmp/contract/inbox'
import type { Generated } from 'kysely'

/** Something that happened. Without a person it is for everybody of the organization who may see it. */
export interface InboxFactTable {
  id: Generated<string>
  kind: InboxKind
  user_id: string | null
  /** Whose data it is about; without it and without a person it is for the provider's staff. */
  organization_id: string | null
  /** Of a fact for the provider's staff: the customer that it came from; null where none, or before it was noted. */
  about_organization_id: string | null
  /** The id of what it is about. */
  subject: string
  /** The status since then. */
  state: string | null
  /** Who did it: nobody is told of what they did themselves. */
  actor_id: string | null
  /** How often, where one row tells of all times. */
  times: Generated<number>
  created_date: Generated<Date>
}

export interface InboxTables {
  inbox_facts: InboxFactTable
  inbox_reads: { user_id: string; fact_id: string; read_date: Date }
  /** Up to when a person has read everything. */
  inbox_marks: { user_id: string; read_until: Date }
  inbox_choices: {
    user_id: string
    kind: InboxKind
    choice: InboxChoice
    /** Up to here a mail has told of it. */
    told_date: Generated<Date>
    mailed_date: Date | null
  }
}
