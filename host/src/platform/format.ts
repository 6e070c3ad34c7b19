import { formatNumber } from '@dmp/kit'

const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 }

export const formatCount = (count: number): string => formatNumber(count)

/** Transferred bytes, in the unit of the size budgets. */
export const formatKilobytes = (bytes: number): string => `${formatNumber(Math.round(bytes / 1000))} kB`

export const formatLoadTime = (ms: number | null): string =>
  ms === null ? '–' : ms < 1000 ? `${Math.round(ms)} ms` : `${formatNumber(ms / 1000, oneDecimal)} s`

/** Thousandths of the page, as browsers write the shift: 0.05. */
export const formatShift = (thousandths: number): string =>
  formatNumber(thousandths / 1000, { maximumFractionDigits: 3 })

/** Small shares matter here: one decimal below ten percent. */
export const formatShare = (share: number | null): string =>
  share === null
    ? '–'
    : `${formatNumber(share * 100, share > 0 && share < 0.1 ? oneDecimal : { maximumFractionDigits: 0 })} %`

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
