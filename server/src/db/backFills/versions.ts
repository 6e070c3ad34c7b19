import { sql } from 'kysely'
import type { Source } from '../client.ts'
import { migrations } from '../migrations/index.ts'

/** Each server of several has one line of its own for news, and others see its name: what it knows is in it. */
const line = 'dmp-news'
const numberOf = (migration: string): string => migration.slice(0, 4)

export const newsLineName = `${line} ${numberOf(Object.keys(migrations).toSorted().at(-1) ?? '')}`

/** Whether a server is there that does not know this migration. Those of versions before this one name none. */
export async function isAnotherVersionThere(db: Source, migration: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and application_name like ${`${line}%`}
      and (application_name = ${line} or application_name < ${`${line} ${numberOf(migration)}`})`.execute(db)
  return rows.length > 0
}
