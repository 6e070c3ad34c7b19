/** Whether anything stands in the place of a part's screens. A part that draws nothing looks like no page at all. */
export function isPlaceEmpty(): boolean {
  return document.getElementById('content')?.childElementCount === 0
}

/** Whether nobody could see the frame of the page: its own styles hide parts of it on paper only. */
export function isFrameHidden(): boolean {
  if (globalThis.matchMedia?.('print').matches) return false
  const frame = document.getElementById('content')?.parentElement
  const shown = [frame, frame?.querySelector('header')].filter((element) => element instanceof HTMLElement)
  return shown.some(
    (element) => element.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) === false,
  )
}

/** Takes away whatever of a part may hide the page: the styles of its release, and what it wrote on the page itself. */
export function showFrame(part: string): void {
  const places = [`/releases/${part}/`, `/releases/again/${part}/`]
  for (const sheet of document.styleSheets)
    if (places.some((place) => sheet.href?.includes(place))) sheet.disabled = true
  for (let element = document.getElementById('content'); element !== null; element = element.parentElement) {
    element.hidden = false
    for (const property of ['display', 'visibility', 'opacity']) element.style.removeProperty(property)
  }
}
