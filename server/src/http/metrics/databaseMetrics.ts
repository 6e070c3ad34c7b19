import type { Metrics } from '../../core/metrics.ts'
import { countJobs } from '../../db/jobCounts.ts'
import type { Dependencies } from '../../dependencies.ts'

/** The database, and the jobs in it: of all servers together. */
export function measureDatabase(metrics: Metrics, { database }: Pick<Dependencies, 'database'>): void {
  const { db, pool } = database
  metrics.gauge('dmp_database_up', 'Whether the database answers', () =>
    database.ping().then(
      () => 1,
      () => 0,
    ),
  )
  metrics.gauge('dmp_database_connections', 'Connections to PostgreSQL, and who waits for one', () =>
    Object.entries(pool ? { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount } : {}).map(
      ([state, value]) => ({ labels: { state }, value }),
    ),
  )
  metrics.gauge('dmp_database_turns', 'Statements and transactions that run, and that wait for their turn', () => [
    { labels: { state: 'running' }, value: database.turns.counts.running },
    { labels: { state: 'waiting' }, value: database.turns.counts.waiting },
  ])
  metrics.gauge('dmp_jobs', 'Background jobs that are not done, by kind and state', async () =>
    (await countJobs(db)).map(({ kind, state, count }) => ({ labels: { kind, state }, value: count })),
  )
  metrics.gauge('dmp_oldest_waiting_job_seconds', 'For how long the oldest job of a kind could have begun', async () =>
    (await countJobs(db))
      .filter(({ state }) => state === 'waiting')
      .map(({ kind, oldestSeconds }) => ({ labels: { kind }, value: oldestSeconds })),
  )
}
