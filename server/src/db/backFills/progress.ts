import { sql } from 'kysely'
import type { Db, Source } from '../client.ts'
import type { AnyBackFill } from './backFill.ts'
import { fillSeriesImageCounts } from './seriesImageCounts.ts'

/** All of this version, in the order in which they are done. */
export const backFills: readonly AnyBackFill[] = [fillSeriesImageCounts]

export interface Progress {
  readonly name: string
  /** Of all rows, 1 when it is done: as many as PostgreSQL guessed at the migration. */
  readonly share: number
  readonly isFilled: boolean
  readonly changedDate: Date
}

/** Those that are not over. A newer version's are its own. */
export async function listUnfinished(db: Source): Promise<readonly Progress[]> {
  const { rows } = await sql<Progress>`
    select name, filled_date is not null as "isFilled", changed_date as "changedDate",
      case when filled_date is not null then 1
        else least(0.99, rows_done::float8 / greatest(1, rows_expected)) end as share
    from back_fills where ended_date is null and name in (${sql.join(backFills.map(({ name }) => name))})
    order by name`.execute(db)
  return rows
}

/** Whether every row has what the migration of this name brought. */
export async function isFilled(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`select from back_fills where name = ${name} and filled_date is null`.execute(db)
  return rows.length === 0
}
