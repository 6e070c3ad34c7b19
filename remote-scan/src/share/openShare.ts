/** The image viewer on what a link shares; the id is no secret, the cookie of this browser opens it. */
export const toViewerAddress = (shareId: string, seriesUID?: string): string =>
  `/viewer/?${new URLSearchParams({ share: shareId, ...(seriesUID !== undefined && { SeriesInstanceUID: seriesUID }) })}`

/** In this tab: on a phone a second one is in the way, and Back leads here again. */
export const openViewer = (shareId: string): void => window.location.assign(toViewerAddress(shareId))
