import { sql } from 'kysely'
import { openEarlier } from '../testing/earlierSchema.ts'
import type { Database } from './client.ts'
import { migrate } from './migrate.ts'

const subjects: readonly object[] = [
  {},
  { source: 'STOW-RS', instances: 1, series: ['1.2.3'] },
  { series: ['1.2.3', '1.2.4', '1.2.3'] },
  { series: [] },
  { series: [null, 'a "b" \\ {c}, d\n', 5, true, { e: [1] }, ['f']] },
  { series: [['only']] },
  { series: [null] },
  { studyUID: '1.2', seriesUID: '1.2.3' },
  { alsoSeries: ['1.2.9'], seriesUID: '1.2.3', studyUID: '1.2', studies: ['1.3'], series: '1.2.4' },
  { studies: ['1.3', '1.4'], sessionId: '1.5', patientId: '1.6' },
  { studyUID: null, seriesUID: 7, studies: { a: '1.3' }, alsoSeries: false },
]

let database: Database

beforeAll(async () => {
  ;({ database } = await openEarlier('0079'))
})
afterAll(() => database.close())

const listScans = async (): Promise<readonly unknown[]> => {
  const texts = subjects.map((subject) => JSON.stringify(subject))
  const { rows } = await sql<{ scans: readonly unknown[] }>`
    select audit_scans(subject) as scans
    from unnest(${texts}::text[]::jsonb[]) with ordinality as given (subject, place) order by place`.execute(
    database.db,
  )
  return rows.map(({ scans }) => scans)
}

describe('the scans that audit rows name', () => {
  it('are what they were, in the order of before, so that their index still tells the truth [P20, P24]', async () => {
    const earlier = await listScans()
    await migrate(database.db)
    expect(await listScans()).toEqual(earlier)
    expect(earlier[8]).toEqual(['1.2.4', '1.3', '1.2', '1.2.3', '1.2.9'])
  })
})
