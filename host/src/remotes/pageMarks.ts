/** What the page notes of its parts, for `pageTimes.ts`, which comes when nobody waits for anything any more. */
export const partMark = 'dmp-part'
export const drawnMark = 'dmp-drawn'

/** From now on the page is this part's, or the host's own. */
export const markPart = (part: string, releaseId: string): void =>
  void performance.mark?.(`${partMark} ${part} ${releaseId}`)

/** The screens of the part stand, with or without their data. */
export const markDrawn = (part: string): void => void performance.mark?.(`${drawnMark} ${part}`)
