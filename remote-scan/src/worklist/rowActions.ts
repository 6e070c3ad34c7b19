import type { ScanRow, Study } from '@dmp/contract/scan'
import { launch } from '../shared/launchApp.ts'

/** What a dialog is opened for. */
export type Asked =
  | { readonly kind: 'download'; readonly series: readonly ScanRow[]; readonly study: Study }
  | { readonly kind: 'share' | 'transfer' | 'delete'; readonly series: readonly ScanRow[] }

/** The series that the viewer begins with: the first that is ready and has a picture. */
export const findViewable = (series: readonly ScanRow[]): ScanRow | undefined =>
  series.find(({ imageSetID, noOfImages }) => imageSetID && noOfImages !== 0)

export function view(organizationId: string, row: ScanRow): void {
  if (row.imageSetID) launch('viewer', { ...row, imageSetID: row.imageSetID, organizationId })
}

/** What a scan is told that was opened from the worklist: its path leads back there. */
export const fromWorklist = { from: 'worklist' } as const
export const isFromWorklist = (state: unknown): boolean => (state as { from?: unknown } | null)?.from === 'worklist'

export const detailPath = (organizationId: string, row: ScanRow): string =>
  `/scan/detail/${organizationId}/${row.seriesUID}`
