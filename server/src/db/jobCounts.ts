import { sql } from 'kysely'
import type { Db } from './client.ts'
import { jobKinds, type JobKind } from './jobQueues.ts'

export interface JobCount {
  readonly kind: JobKind
  readonly state: 'waiting' | 'active' | 'failed'
  readonly count: number
  /** Of those that wait: since when the oldest one could have begun. */
  readonly oldestSeconds: number
}

/** Jobs that are not done. */
export async function countJobs(db: Db): Promise<readonly JobCount[]> {
  const { rows } = await sql<{ kind: JobKind; state: JobCount['state']; count: number; seconds: number }>`
    select name as kind, case when state in ('created', 'retry') then 'waiting' else state::text end as state,
      count(*)::int as count, greatest(0, extract(epoch from now() - min(start_after)))::float8 as seconds
    from jobs.job where state in ('created', 'retry', 'active', 'failed') and name in (${sql.join(jobKinds)})
    group by 1, 2`.execute(db)
  return rows.map(({ seconds, ...row }) => ({ ...row, oldestSeconds: seconds }))
}
