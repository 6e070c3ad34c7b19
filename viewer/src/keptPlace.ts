import type { GreyWindow } from './study/presets.ts'
import type { Workspace } from './ui/Workspace.ts'

interface Place {
  /** Of the address: another study has another place. */
  readonly search: string
  readonly seriesUid: string | undefined
  readonly index: number
  readonly window: GreyWindow | undefined
  readonly zoom: number
}

const name = 'viewer-place'

/**
 * For whoever works on the viewer: an edit loads its page anew, and what they looked at is there again. `npm run dev`
 * alone calls it, so that no release keeps in the browser what somebody looked at.
 */
export function keepPlace(workspace: Workspace): void {
  const place = takePlace()
  addEventListener('pagehide', () => sessionStorage.setItem(name, JSON.stringify(readPlace(workspace))))
  const entry = workspace.study.entries.find(({ uid }) => uid === place?.seriesUid)
  if (place === undefined || entry === undefined) return
  if (workspace.active.seriesUid !== entry.uid) workspace.open(entry)
  // Pictures come one after the other, and the first one fits itself: each change is looked at until a person acts.
  let isWanted = true
  for (const act of ['pointerdown', 'wheel', 'keydown']) addEventListener(act, () => (isWanted = false), { once: true })
  workspace.onChange(() => isWanted && restore(workspace, place))
}

function takePlace(): Place | undefined {
  const text = sessionStorage.getItem(name)
  sessionStorage.removeItem(name)
  const place = text === null ? undefined : (JSON.parse(text) as Place)
  return place?.search === location.search ? place : undefined
}

function readPlace({ active: { seriesUid, picture } }: Workspace): Place {
  return { search: location.search, seriesUid, index: picture.index, window: picture.window, zoom: picture.zoom }
}

function restore({ active: { seriesUid, picture } }: Workspace, place: Place): void {
  if (seriesUid !== place.seriesUid) return
  picture.goTo(place.index)
  if (!picture.isShown) return
  const { window } = picture
  if (place.window && !isNear(window?.width, place.window.width, window?.center, place.window.center))
    picture.setWindow(place.window)
  if (!isNear(picture.zoom, place.zoom)) picture.zoomBy(place.zoom / picture.zoom)
}

/** Pairs of numbers that read the same on the screen. */
function isNear(...numbers: readonly (number | undefined)[]): boolean {
  return numbers.every((number, at) => at % 2 === 1 || Math.abs((number ?? Infinity) - (numbers[at + 1] ?? 0)) < 0.005)
}
