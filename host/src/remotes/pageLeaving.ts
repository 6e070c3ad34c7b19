/** When the page was last about to be left. */
let leftAt = -Infinity
/** Whoever stays after all is heard again after this time. */
const leavingMs = 10_000

window.addEventListener('beforeunload', () => (leftAt = performance.now()))
// Come back to, as it was.
window.addEventListener('pageshow', () => (leftAt = -Infinity))

/** Leaving a page, or reloading it, cuts off what is being loaded: whatever fails then says nothing about it. */
export const isBeingLeft = (): boolean => performance.now() - leftAt < leavingMs
