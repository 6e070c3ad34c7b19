import type { ColumnType, Generated } from 'kysely'

/** How many changes a person or a machine has made; counted while replicas are read from. */
export interface LastWriteTable {
  /** As `viewer.userId`: of a machine the id of its API token. */
  person_id: string
  number: ColumnType<string | number, number, number>
  written_date: Generated<Date>
}

export interface ReplicaTables {
  last_writes: LastWriteTable
}
