import type { Release } from '../../shared/contract/src/release.ts'
import { createPairPlan, findRefusal, type AgedRelease } from './pairPlan.ts'
import { createTable } from './skew.ts'
import type { JourneyResult } from '../releaseGate/smokeJourneys.ts'

const release = (name: string, releaseId: string, over: Partial<Release> = {}): Release => ({
  name,
  releaseId,
  entry: 'a.js',
  initial: [],
  chunks: {},
  uses: {},
  provides: {},
  consumes: {},
  files: [],
  commit: '',
  publishedAt: '',
  ...over,
})

const both = (name: string): AgedRelease[] => [
  { release: release(name, `${name} 2`), age: 'now' },
  { release: release(name, `${name} 1`), age: 'before' },
]

const pairsIn = (rows: readonly (readonly AgedRelease[])[]): Set<string> =>
  new Set(
    rows.flatMap((row) =>
      row.flatMap((a, at) =>
        row.slice(at + 1).map((b) =>
          [a, b]
            .map((level) => level.release.releaseId)
            .sort()
            .join('+'),
        ),
      ),
    ),
  )

describe('what is composed with what', () => {
  it.each([
    [2, 4],
    [4, 5],
    [8, 6],
    [9, 6],
    [12, 7],
  ])('brings every pair of %i parts in two ages together in at most %i compositions', (count, most) => {
    const names = ['host', ...Array.from({ length: count - 1 }, (_, index) => `remote-r${index}`)]
    const { rows } = createPairPlan(names.flatMap(both))
    expect(pairsIn(rows).size).toBe(((count * (count - 1)) / 2) * 4)
    expect(rows.length).toBeLessThanOrEqual(most)
    for (const row of rows) expect(row).toHaveLength(count)
  })

  it('needs one composition more, not one for each part, where the older host refuses all remotes of now', () => {
    const host = [
      { release: release('host', 'h2', { provides: { '@dmp/kit': '1.1.0' } }), age: 'now' as const },
      { release: release('host', 'h1', { provides: { '@dmp/kit': '1.0.0' } }), age: 'before' as const },
    ]
    const remotes = Array.from({ length: 7 }, (_, index) => `remote-r${index}`).flatMap((name) => [
      { release: release(name, `${name}-2`, { consumes: { '@dmp/kit': '^1.1.0' } }), age: 'now' as const },
      { release: release(name, `${name}-1`, { consumes: { '@dmp/kit': '^1.0.0' } }), age: 'before' as const },
    ])
    const { rows, refused } = createPairPlan([...host, ...remotes])
    expect(refused).toHaveLength(7)
    expect(pairsIn(rows).size).toBe(21 * 4 + 7 * 3)
    expect(rows.length).toBe(7)
  })

  it('leaves out what nobody can make live together, and says which', () => {
    const host = [
      { release: release('host', 'h2', { provides: { '@dmp/kit': '1.1.0' } }), age: 'now' as const },
      { release: release('host', 'h1', { provides: { '@dmp/kit': '1.0.0' } }), age: 'before' as const },
    ]
    const scan = { release: release('remote-scan', 's2', { consumes: { '@dmp/kit': '^1.1.0' } }), age: 'now' as const }
    const { rows, refused } = createPairPlan([...host, scan, ...both('remote-user')])
    expect(refused.map(({ pair }) => pair.map((level) => level.release.releaseId))).toEqual([['h1', 's2']])
    expect(refused[0]?.refusal.reason).toContain('needs @dmp/kit ^1.1.0')
    expect(pairsIn(rows)).not.toContain('h1+s2')
    expect(pairsIn(rows).size).toBe(2 * 2 + 1 + 2)
  })

  it('refuses two remotes by their addresses only', () => {
    const claims = (name: string, prefix: string) =>
      release(name, name, {
        consumes: { react: '^19.0.0' },
        declaration: {
          name,
          title: name,
          version: '1.0.0',
          routes: [{ prefix, guard: 'session' }],
          navigation: [],
          cards: [],
          needs: { contract: '^1.0.0', kit: '^1.0.0' },
        },
      })
    expect(findRefusal(claims('remote-a', '/a'), claims('remote-b', '/b'))).toBeUndefined()
    expect(findRefusal(claims('remote-a', '/a'), claims('remote-b', '/a'))?.reason).toContain('both claim /a')
  })
})

const journey = (part: string, hasPassed = true, reason = ''): JourneyResult => ({
  parts: [part],
  title: `${part} starts`,
  hasPassed,
  isFlaky: false,
  reason,
  seconds: 1,
})

describe('the table of the skew drill', () => {
  it('is a table of who works with whom, and a failure counts for each pair that it was seen in', () => {
    const levels = ['host', 'remote-scan'].flatMap(both)
    const [hostNow, hostBefore, scanNow, scanBefore] = levels as [AgedRelease, AgedRelease, AgedRelease, AgedRelease]
    const seen = [
      { row: [hostNow, scanNow], journeys: [journey('remote-scan')] },
      { row: [hostBefore, scanNow], journeys: [journey('remote-scan', false)] },
    ]
    const { text, pairs, failed } = createTable(levels, seen, [[hostBefore, scanBefore]])
    expect(text.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['host now (host 2)', 'host before (host 1)'],
      ['remote-scan now (remote-s)', 'works', 'FAILS'],
      ['remote-scan before (remote-s)', 'not together', 'refused'],
    ])
    expect([pairs, failed]).toEqual([2, 1])
  })
})
