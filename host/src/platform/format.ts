const numbers = new Intl.NumberFormat('en-US')

export const formatCount = (count: number): string => numbers.format(count)

/** Transferred bytes, in the unit of the size budgets. */
export const formatKilobytes = (bytes: number): string => `${numbers.format(Math.round(bytes / 1000))} KB`

export const formatLoadTime = (ms: number | null): string =>
  ms === null ? '–' : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`

/** Small shares matter here: one decimal below ten percent. */
export const formatShare = (share: number | null): string =>
  share === null ? '–' : `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`

/** Shows a release by its version, and by the start of its id where versions are equal or missing. */
export const formatRelease = (
  { version, releaseId }: { version: string; releaseId: string },
  other?: { version: string },
): string =>
  version === ''
    ? releaseId.slice(0, 8)
    : version === other?.version
      ? `${version} (${releaseId.slice(0, 8)})`
      : version
