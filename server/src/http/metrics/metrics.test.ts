import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { scan } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { sql } from 'kysely'
import { jobKinds } from '../../db/jobQueues.ts'
import { openLive } from '../../testing/live.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { readSettings } from '../../settings/settings.ts'

let server: TestServer
let url: string
let address: string

beforeAll(async () => {
  server = await startServer({ DMP_METRICS_PORT: '0' })
  url = await server.listen()
  address = /metrics at (http:\/\/127\.0\.0\.1:\d+)/.exec(server.logs.join(''))?.[1] ?? ''
})
afterAll(() => server.close())

/** Once every request before has come to its end. */
async function scrape(): Promise<string> {
  for (;;) {
    const text = await (await fetch(`${address}/metrics`)).text()
    if (valueOf(text, 'dmp_open_requests') === 0) return text
    await new Promise((again) => setTimeout(again, 20))
  }
}
const valueOf = (text: string, line: string): number =>
  Number(
    text
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.slice(line.length) ?? Number.NaN,
  )
const readDocument = (name: string): string =>
  readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8')

/** Calls that carry ids, names, tokens and paths that nobody knows. */
async function use(): Promise<() => void> {
  const staff = await server.signIn('staff')
  await server.call(scan.get, { organizationId: northClinic.id, seriesUID: '1.2.404' }, { headers: staff.headers })
  const ask = (path: string, method = 'GET', headers = {}) =>
    fetch(url + path, { method, headers: { ...staff.headers, ...headers } })
  await ask('/api/Nothing/canary@clinic.example/1.2.840.99')
  await ask('/canary-path?token=canary')
  await ask(`/dicom-web/studies/1.2.840.99/series?PatientName=canary`)
  await ask('/api/Scan/uploads', 'POST', { 'tus-resumable': '1.0.0', 'upload-length': '77' })
  await ask(`/api/Scan/uploads/${randomUUID().replaceAll('-', '')}`, 'HEAD', { 'tus-resumable': '1.0.0' })
  await ask('/healthz', 'PROPFIND')
  const channel = await openLive(url, { sessionId: randomUUID(), clientId: 'dmp-web' })
  return () => channel.close()
}

it('tells Prometheus of calls, jobs, database, uploads, live channels, hashing, event loop and garbage [P41]', async () => {
  const end = await use()
  const text = await scrape()
  end()
  expect(valueOf(text, 'dmp_requests_total{method="POST",route="/api/account/login",status="2xx"}')).toBeGreaterThan(0)
  expect(valueOf(text, 'dmp_requests_total{method="GET",route="/api/*",status="4xx"}')).toBeGreaterThan(0)
  expect(valueOf(text, 'dmp_request_seconds_count{method="POST",route="/api/account/login"}')).toBeGreaterThan(0)
  expect(
    valueOf(text, 'dmp_request_seconds_bucket{method="POST",route="/api/account/login",le="+Inf"}'),
  ).toBeGreaterThan(0)
  expect(valueOf(text, 'dmp_live_channels')).toBe(1)
  expect(valueOf(text, 'dmp_unfinished_uploads')).toBeGreaterThan(0)
  expect(valueOf(text, 'dmp_database_up')).toBe(1)
  expect(valueOf(text, 'dmp_database_turns{state="waiting"}')).toBeGreaterThanOrEqual(0)
  expect(valueOf(text, 'dmp_hashing_turns{state="running"}')).toBe(0)
  expect(valueOf(text, 'dmp_stopping')).toBe(0)
  expect(valueOf(text, 'dmp_event_loop_delay_seconds{quantile="0.99"}')).toBeGreaterThanOrEqual(0)
  expect(valueOf(text, 'dmp_memory_bytes{kind="resident"}')).toBeGreaterThan(2 ** 20)
  expect(text).toContain('# TYPE dmp_garbage_seconds_total counter')
})

it('counts jobs by kind and state, and says for how long the oldest one waits [P41]', async () => {
  const { db, jobs } = server.deps
  // No server does jobs of this kind while no bucket is set.
  await db.transaction().execute((trx) => jobs.add(trx, 'audit-bucket', [{ id: randomUUID() }, { id: randomUUID() }]))
  await sql`update jobs.job set start_after = now() - interval '1 hour' where name = 'audit-bucket'`.execute(db)
  const text = await scrape()
  expect(valueOf(text, 'dmp_jobs{kind="audit-bucket",state="waiting"}')).toBe(2)
  expect(valueOf(text, 'dmp_oldest_waiting_job_seconds{kind="audit-bucket"}')).toBeGreaterThanOrEqual(3600)
})

const methods = ['GET', 'POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS', 'PUT'] as const
/** Everything that a label may hold. */
const allowed: Readonly<Record<string, (value: string) => boolean>> = {
  method: (value) => /^[A-Z]+$/.test(value),
  // A pattern that was registered; what nobody knows falls under one of them as well, or under none.
  route: (value) => value === 'none' || methods.some((method) => server.app.hasRoute({ method, url: value })),
  status: (value) => /^(?:[1-5]xx|499)$/.test(value),
  kind: (value) =>
    ['minor', 'major', 'incremental', 'weak', 'resident', 'heap', 'external', ...jobKinds].includes(value),
  state: (value) => ['waiting', 'active', 'failed', 'running', 'open', 'idle'].includes(value),
  quantile: (value) => ['0.5', '0.9', '0.99'].includes(value),
  le: (value) => value === '+Inf' || Number(value) <= 30,
}

it('says nothing in a label that is not on a list: no id, no name, nothing that somebody typed [P23, P41]', async () => {
  const end = await use()
  const text = await scrape()
  end()
  const labels = [...text.matchAll(/[{,]([a-z]+)="([^"]*)"/g)]
  expect(labels.length).toBeGreaterThan(100)
  const found = labels.filter(([, name = '', value = '']) => !allowed[name]?.(value))
  expect(found.map(([all]) => all)).toEqual([])
  expect(labels.join(' ')).not.toMatch(/canary|1\.2\.840|@|[0-9a-f]{8}-?[0-9a-f]{4}/)
})

it('answers nothing else, and is off unless somebody names a port [P41]', async () => {
  expect((await fetch(`${address}/`)).status).toBe(404)
  expect((await fetch(`${address}/metrics`, { method: 'POST' })).status).toBe(404)
  expect((await fetch(`${url}/metrics`)).headers.get('content-type')).not.toContain('version=0.0.4')
  expect(readSettings({ DMP_DEMO: '1' }).metricsPort).toBeUndefined()
})

it('has every metric that dashboard and alerts name, and a row for every alert [P41]', async () => {
  const names = new Set([...(await scrape()).matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name))
  const documents = ['monitoring/dashboard.json', 'monitoring/alerts.yml']
  for (const document of documents) {
    const named = [...readDocument(document).matchAll(/\bdmp_\w+/g)].map(([name]) => name)
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !names.has(name.replace(/_(?:bucket|sum|count)$/, '')))).toEqual([])
  }
  const alerts = [...readDocument('monitoring/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  const explained = [...readDocument('operations.md').matchAll(/^\| `(Dmp\w+)` \|/gm)].map(([, name]) => name)
  expect(explained).toEqual(alerts)
  const { panels } = JSON.parse(readDocument('monitoring/dashboard.json')) as { panels: { targets: unknown[] }[] }
  expect(panels.every(({ targets }) => targets.length > 0)).toBe(true)
})

it('says that its port is taken, and who names it [P21, P41]', async () => {
  const second = await startServer({ DMP_METRICS_PORT: new URL(address).port })
  await expect(second.app.ready()).rejects.toMatchObject({
    sentences: [
      expect.stringMatching(/^The server cannot listen on port \d+ of 127\.0\.0\.1 for metrics \(EADDRINUSE\)/),
    ],
  })
  await second.close()
})
