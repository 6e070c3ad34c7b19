import type { Generated } from 'kysely'

export type SetupFactName = 'storage' | 'mail' | 'dismissed'

/** What no other table tells of the first run. */
export interface SetupFactTable {
  organization_id: string
  name: SetupFactName
  is_good: boolean
  sentence: Generated<string>
  date: Generated<Date>
}

export interface SetupTables {
  setup_facts: SetupFactTable
}
