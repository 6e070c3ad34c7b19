import type { ShownPart } from '@dmp/contract/releaseCalls'

export const releaseId = 'a'.repeat(16)

/** The scans as the platform screen shows them: one release, live, that nobody complains of. */
export const scans: ShownPart = {
  name: 'remote-scan',
  title: 'Scans',
  canary: null,
  before: null,
  live: {
    releaseId,
    version: '1.4.1',
    commit: 'abc123',
    publishedAt: '2026-11-20T08:00:00Z',
    brotliBytes: 31_400,
    since: '2026-11-20T09:00:00Z',
    by: 'ann@dmp.example',
    figures: { pages: 10, failures: 0, errors: 0, badShare: 0, loadMsP75: 321, faults: [] },
  },
}

/** How the server watches releases. */
export const watch = { isOn: true, minutes: 60, pages: 20, percent: 5, times: 3, organizations: 2 }
