import { keepPlace } from './keptPlace.ts'
import type { Workspace } from './ui/Workspace.ts'

const window = { width: 400, center: 40 }

/** A workspace that opens elsewhere, and the last thing that it told of a change. */
function aWorkspace(): { workspace: Workspace; changed: () => void; opened: string[] } {
  const listeners: (() => void)[] = []
  const opened: string[] = []
  const picture = {
    index: 5,
    zoom: 1,
    isShown: true,
    window: { width: 80, center: 40 },
    goTo: (index: number) => void (picture.index = index),
    setWindow: (next: typeof window) => void (picture.window = next),
    zoomBy: (factor: number) => void (picture.zoom *= factor),
  }
  const active = { seriesUid: 'a', picture }
  const workspace = {
    study: { entries: [{ uid: 'a' }, { uid: 'b' }] },
    active,
    open: ({ uid }: { uid: string }) => {
      opened.push(uid)
      active.seriesUid = uid
    },
    onChange: (listener: () => void) => listeners.push(listener),
  }
  return {
    workspace: workspace as unknown as Workspace,
    changed: () => listeners.forEach((listener) => listener()),
    opened,
  }
}

const leave = () => dispatchEvent(new Event('pagehide'))

function leaveAt(place: { seriesUid: string; index: number; zoom: number }): void {
  const { workspace } = aWorkspace()
  keepPlace(workspace)
  Object.assign(workspace.active, { seriesUid: place.seriesUid })
  Object.assign(workspace.active.picture, { index: place.index, zoom: place.zoom, window })
  leave()
}

beforeEach(() => sessionStorage.clear())

it('brings back series, slice, window and zoom after the page was loaded anew, until somebody acts', () => {
  leaveAt({ seriesUid: 'b', index: 2, zoom: 3 })
  const { workspace, changed, opened } = aWorkspace()
  keepPlace(workspace)
  changed()
  expect(opened).toEqual(['b'])
  expect(workspace.active.picture).toMatchObject({ index: 2, zoom: 3, window })
  dispatchEvent(new Event('keydown'))
  workspace.active.picture.goTo(4)
  changed()
  expect(workspace.active.picture.index).toBe(4)
})

it('forgets a place of another study, and one that was brought back', () => {
  leaveAt({ seriesUid: 'b', index: 2, zoom: 3 })
  history.replaceState(null, '', '?studyInstanceUIDs=1.2')
  const { workspace, changed, opened } = aWorkspace()
  keepPlace(workspace)
  changed()
  expect([opened, workspace.active.picture.index, sessionStorage.length]).toEqual([[], 5, 0])
})
