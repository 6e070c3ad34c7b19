import type { Change, ChangePage } from '../changes.ts'

export const aChange = (over: Partial<Change> = {}): Change => ({
  cursor: '4711',
  kind: 'SeriesCreated',
  date: '2026-05-05T08:00:00.000Z',
  studyUID: '1.2.840.99.1',
  seriesUID: '1.2.840.99.1.1',
  instances: 32,
  modality: 'CT',
  source: 'Upload',
  ...over,
})

export const aChangePage = (over: Partial<ChangePage> = {}): ChangePage => ({
  changes: [aChange(), aChange({ cursor: '4712', kind: 'SeriesQuiet', date: '2026-05-05T08:01:02.000Z' })],
  next: '4712',
  hasMore: false,
  ...over,
})
