import type { Metrics } from '../../core/metrics.ts'
import { listUnfinished } from '../../db/backFills/progress.ts'
import { countJobs } from '../../db/jobCounts.ts'
import { replicaStates } from '../../db/replica.ts'
import type { Replicas } from '../../db/replicas.ts'
import type { Dependencies } from '../../dependencies.ts'

/** The database, and the jobs in it: of all servers together. */
export function measureDatabase(
  metrics: Metrics,
  { database, replicas }: Pick<Dependencies, 'database' | 'replicas'>,
): void {
  const { db, pool } = database
  measureReplicas(metrics, replicas)
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
  metrics.gauge('dmp_back_fill_ratio', 'What a migration left to be filled in: how much of it is done', async () =>
    (await listUnfinished(db)).map(({ name, share }) => ({ labels: { kind: name }, value: share })),
  )
}

function measureReplicas(metrics: Metrics, replicas: Replicas): void {
  metrics.gauge('dmp_replicas', 'Replicas of the database: read from, or why not', () =>
    replicas.areThere
      ? replicaStates.map((state) => ({
          labels: { state },
          value: replicas.list.filter((replica) => replica.state === state).length,
        }))
      : [],
  )
  metrics.gauge('dmp_replica_lag_seconds', 'By how much the replica is behind that is furthest behind', () => {
    // What does not answer, or has long been left behind, has no number.
    const lags = replicas.list.map(({ lagMs }) => lagMs).filter(Number.isFinite)
    return lags.length > 0 ? Math.max(...lags) / 1000 : []
  })
  metrics.gauge(
    'dmp_replica_reads_total',
    'Reads that a replica may answer: from it, from the primary, and again from the primary',
    () =>
      (replicas.areThere ? Object.entries(replicas.counts) : []).map(([state, value]) => ({
        labels: { state },
        value,
      })),
    'counter',
  )
}
