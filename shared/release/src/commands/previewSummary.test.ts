import type { PreviewReport } from '@dmp/contract/releasePreview'
import { formatPreview, formatSummary } from './previewSummary.ts'

const weight = { entry: 1000, firstRoute: 2000, all: 3000 }
const report: PreviewReport = {
  part: 'remote-report',
  releaseId: 'a'.repeat(16),
  id: 'abc',
  by: 'ann',
  madeDate: '2026-11-28T12:00:00.000Z',
  change: null,
  users: [],
  path: '/report',
  endsDate: '2026-12-05T12:00:00.000Z',
  title: 'Report',
  version: '1.0.0',
  commit: 'abc1234',
  findings: [
    {
      check: 'journey remote-report',
      passed: false,
      says: 'remote-report was not tried.',
      cure: 'The platform’s team tries it: npm run release -- check remote-report. Then do this again.',
    },
  ],
  weight,
  live: null,
  needs: [],
  calls: null,
}

it.each([
  ['a terminal', formatPreview(report, 'https://dmp.example/report', 'preview --end')],
  ['a comment', formatSummary(report, 'https://dmp.example/report')],
])('tells %s who tries a release, and nothing to do again: the preview is there', (_where, text) => {
  expect(text).toMatch(/The platform’s team tries it: npm run release -- check remote-report\.$/m)
  expect(text).not.toContain('do this again')
})
