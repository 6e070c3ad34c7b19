import { getQuality, status, type ShownPart } from '@dmp/contract/releaseCalls'
import type { Quality, ShownJourney, ShownRound } from '@dmp/contract/releaseRounds'
import { CallError } from '@dmp/kit'
import { answer } from '@dmp/kit/testing'
import { screen, within } from '@testing-library/react'
import { Pages } from '../pages/Pages.tsx'
import { placeSnapshot } from '../testing/createRemote.ts'
import { renderPage } from '../testing/renderPage.ts'

const aPart = (name: string, title: string, version: string): ShownPart => ({
  name,
  title,
  live: {
    releaseId: 'a'.repeat(16),
    version,
    commit: 'abc123',
    publishedAt: '2026-11-20T08:00:00Z',
    brotliBytes: 1,
    since: null,
    by: null,
    figures: { pages: 0, failures: 0, errors: 0, badShare: null, loadMsP75: null, faults: [] },
  },
  canary: null,
  before: null,
})
const watch = { isOn: true, minutes: 60, pages: 20, percent: 5, times: 3 }
const parts = [
  aPart('remote-scan', 'Scans', '1.4.2'),
  aPart('remote-user', 'Users', '1.1.0'),
  aPart('host', 'Shell', '1.0.0'),
]

const aJourney = (title: string, over: Partial<ShownJourney> = {}): ShownJourney => ({
  title,
  outcome: 'passed',
  area: 'use',
  parts: ['remote-scan'],
  clauses: [],
  sentence: null,
  date: '2026-11-24T08:00:00Z',
  ...over,
})
const aRound = (id: string, over: Partial<ShownRound> = {}): ShownRound => ({
  id,
  kind: 'monitor',
  by: 'monitor Lakeside',
  endedDate: '2026-11-24T08:00:00Z',
  seconds: 41,
  snapshot: '0123456789abcdef',
  passed: 12,
  failed: 0,
  flaky: 0,
  skipped: 0,
  verdict: null,
  ...over,
})
const nothing: Quality = { snapshot: 'fedcba9876543210', journeys: [], untried: null, rounds: [] }

const draw = (quality: Partial<Quality>) => {
  placeSnapshot()
  return renderPage(<Pages />, {
    at: '/platform/quality',
    as: 'super_admin',
    answers: [answer(status, { version: 2, parts, watch }), answer(getQuality, { ...nothing, ...quality })],
  })
}
type Region = Pick<typeof screen, 'getByText' | 'getAllByRole'>
const section = async (title: string) => within(await screen.findByRole('region', { name: title }))
const rowsOf = (of: Region): (string | null)[][] =>
  of
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    )

const mixed = [
  aJourney('opens a scan [2.58]', { clauses: ['2.58'] }),
  aJourney('shows its cards', { outcome: 'failed', sentence: 'the card shows no error', clauses: ['2.58', '2.60'] }),
  aJourney('adds a user', { outcome: 'flaky', parts: ['remote-user'], clauses: ['2.70'], sentence: 'too late' }),
  aJourney('writes', { outcome: 'skipped', parts: ['remote-user'], clauses: ['2.71'] }),
  aJourney('/scan', { area: 'accessibility', parts: [], states: 7 }),
  aJourney('/user', { area: 'accessibility', parts: [], states: 1200, outcome: 'failed' }),
  aJourney('/scan, light and dark', { area: 'looks', parts: [], outcome: 'failed' }),
  aJourney('/user, light and dark', { area: 'looks', parts: [] }),
]

describe('the quality of what is live', () => {
  it('says which journeys failed and where, the worst first, and the verdict on each part [P52]', async () => {
    draw({ journeys: mixed, untried: ['2.01'] })
    expect(await screen.findByText('3 of 7 journeys failed')).toBeVisible()
    expect(screen.getByText('fedcba9876543210')).toBeVisible()
    const failed = rowsOf(await section('Failed journeys'))
    expect(failed.map(([outcome, title, what, of]) => [outcome, title, what, of])).toEqual([
      ['Failed', '/scan, light and dark', '–', '–'],
      ['Failed', '/user', '–', '–'],
      ['Failed', 'shows its cards', 'the card shows no error', 'remote-scan'],
      ['Unsteady', 'adds a user', 'too late', 'remote-user'],
    ])
    expect(rowsOf(await section('Parts'))).toEqual([
      ['Scans', '1.4.2', 'Failed', '1 of 2 passed'],
      ['Users', '1.1.0', 'Unsteady', '0 of 1 passed'],
      ['Shell', '1.0.0', 'Not tried', 'None names it'],
    ])
  })

  it('counts clauses by their worst journey, states by their screens, and changed looks [P52]', async () => {
    const { user } = draw({ journeys: mixed, untried: ['2.01', '2.02'] })
    const clauses = await section('Clauses')
    const valueOf = (of: Region, label: string) => of.getByText(label).nextElementSibling?.textContent
    expect(valueOf(clauses, 'Failed')).toBe('2.58, 2.60')
    expect(valueOf(clauses, 'Unsteady')).toBe('2.70')
    expect(valueOf(clauses, 'Tried and passed')).toBe('0')
    await user.click(clauses.getByText('3'))
    expect(clauses.getByText('2.01, 2.02, 2.71')).toBeVisible()
    const looks = await section('Accessibility and looks')
    expect(valueOf(looks, 'Accessibility')).toBe('1,207 states on 2 screens, violations on 1')
    expect(valueOf(looks, 'Looks')).toBe('2 screens compared, 1 changed')
    expect(looks.getByRole('button', { name: 'Copy Command' })).toBeVisible()
    expect(looks.getByText('npm run e2e -- report')).toBeVisible()
  })

  it('says each round with who told it and what came of it', async () => {
    draw({
      journeys: [aJourney('a')],
      rounds: [
        aRound('2', { failed: 1, passed: 11, verdict: 'remote-scan: rolled back.' }),
        aRound('1', { kind: 'suite', by: 'ann@dmp.example', seconds: 900, skipped: 4, flaky: 2 }),
        aRound('0'),
        aRound('-', { passed: 0, skipped: 3 }),
      ],
    })
    expect(await screen.findByText('The journey passed')).toBeVisible()
    expect((await section('Clauses')).getByText('Unknown until a whole run is told')).toBeVisible()
    const rounds = rowsOf(await section('Rounds'))
    expect(rounds.map(([, ...rest]) => rest)).toEqual([
      ['Failed', 'monitor Lakeside', '11 passed, 1 failed', '41 s', '01234567', 'remote-scan: rolled back.'],
      ['Unsteady', 'ann@dmp.example, whole run', '12 passed, 2 unsteady, 4 not tried', '900 s', '01234567', '–'],
      ['Passed', 'monitor Lakeside', '12 passed', '41 s', '01234567', '–'],
      ['Not tried', 'monitor Lakeside', '0 passed, 3 not tried', '41 s', '01234567', '–'],
    ])
  })

  it('says how a first round is told, where there was none', async () => {
    draw({})
    expect(await screen.findByText('Not tried yet')).toBeVisible()
    expect((await section('Rounds')).getByText('npm run e2e -- monitor 5')).toBeVisible()
    expect(screen.queryByRole('region', { name: 'Failed journeys' })).toBeNull()
  })

  it('says what is wrong where it cannot be read, and asks again', async () => {
    placeSnapshot()
    const { user, calls } = renderPage(<Pages />, {
      at: '/platform/quality',
      as: 'super_admin',
      answers: [
        answer(status, { version: 2, parts, watch }),
        answer(getQuality, new CallError(409, 'NOT_POSSIBLE', 'The release store cannot be read.')),
      ],
    })
    expect(await screen.findByText('The release store cannot be read.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: /again/i }))
    expect(calls(getQuality).length).toBeGreaterThan(1)
  })
})
