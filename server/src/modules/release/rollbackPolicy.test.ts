import type { ReleaseFigures } from '@dmp/contract/releaseCalls'
import { readSettings } from '../../settings/settings.ts'
import { findRollbackReason } from './rollbackPolicy.ts'

const rules = {
  ...readSettings({ DMP_DEMO: '1' }),
  releaseWatchPages: 3,
  releaseWatchPercent: 20,
  releaseWatchTimes: 2,
}
const createFigures = (overrides: Partial<ReleaseFigures>): ReleaseFigures => ({
  pages: 10,
  failures: 0,
  errors: 0,
  badShare: 0,
  loadMsP75: null,
  faults: [],
  ...overrides,
})

describe('what speaks against a release [P31]', () => {
  it('is said with what happened most often first', () => {
    const now = createFigures({
      failures: 4,
      errors: 2,
      badShare: 0.6,
      faults: [
        { fault: 'http', pages: 1 },
        { fault: 'timeout', pages: 3 },
      ],
    })
    expect(findRollbackReason(rules, now, createFigures({ badShare: 0.125 }))).toBe(
      'It failed on 60 % of 10 pages (timeout 3, http 1, uncaught error 2); the previous release failed on 12.5 %.',
    )
    expect(findRollbackReason(rules, { ...now, errors: 0 }, undefined)).toBe(
      'It failed on 60 % of 10 pages (timeout 3, http 1); there are no figures for the previous release.',
    )
  })

  it('is counted together: pages that did not load and errors on those that did', () => {
    const now = createFigures({ failures: 2, errors: 2, badShare: 0.4, faults: [{ fault: 'http', pages: 2 }] })
    expect(findRollbackReason(rules, now, undefined)).toContain('It failed on 40 % of 10 pages')
    expect(findRollbackReason({ ...rules, releaseWatchPages: 5 }, now, undefined)).toBeUndefined()
  })

  it.each([
    ['as many pages as it takes', { failures: 3, badShare: 0.3 }, undefined, true],
    ['one page less', { failures: 2, badShare: 0.3 }, undefined, false],
    ['just the share of pages that it takes', { failures: 5, badShare: 0.2 }, undefined, true],
    ['a smaller share', { failures: 5, badShare: 0.19 }, undefined, false],
    ['twice the share of the release before', { failures: 5, badShare: 0.5 }, { badShare: 0.25 }, true],
    ['less than twice its share', { failures: 5, badShare: 0.49 }, { badShare: 0.25 }, false],
    ['a release before of which nothing is known', { failures: 5, badShare: 0.2 }, { badShare: null }, true],
  ])('is: %s', (_what, metrics, previousMetrics, hasReason) => {
    expect(
      findRollbackReason(rules, createFigures(metrics), previousMetrics && createFigures(previousMetrics)) !==
        undefined,
    ).toBe(hasReason)
  })
})
