import { addKeys } from '@dmp/kit/keys'
import { startEngine, stopEngine } from './imaging/engine.ts'
import { finishedCount } from './imaging/tools.ts'
import { keepPlace, takePlace } from './keptPlace.ts'
import type { SeriesEntry } from './study/series.ts'
import { seriesTitle, sliceText } from './study/series.ts'
import type { Study } from './study/Study.ts'
import { Announcer } from './ui/announcer.ts'
import { createCommands, studyCommands } from './ui/commands.ts'
import { element } from './ui/element.ts'
import { helpDialog } from './ui/helpDialog.ts'
import { Banner } from './ui/notice.ts'
import { Palette } from './ui/Palette.ts'
import type { PatientHeader } from './ui/PatientHeader.ts'
import type { Preview } from './ui/Preview.ts'
import { PersonWarning } from './ui/PersonWarning.ts'
import { seriesList } from './ui/seriesList.ts'
import { toolbar } from './ui/Toolbar.ts'
import { Workspace } from './ui/Workspace.ts'

/** Where the viewer stands, and whose images it shows. */
export interface Frame {
  readonly place: HTMLElement
  readonly header: PatientHeader
}

/**
 * Puts the viewer on the page and opens a series, with its preview where there is one until that has been drawn. Throws
 * a ViewerFailure when the browser cannot draw. Returns a function that leaves the page and the engine to another one.
 */
export function showViewer({ place, header }: Frame, study: Study, entry: SeriesEntry, preview?: Preview): () => void {
  const goOn = () => {
    banner.hide()
    workspace.retry()
  }
  const banner = new Banner(goOn)
  const workspace = new Workspace(study, startEngine(), (failure) => {
    recovery.begin()
    banner.show(failure.kind)
  })
  const recovery = watchRecovery(workspace, banner)
  const help = helpDialog(() => commands)
  const palette = new Palette(() => [...commands, ...studyCommands(workspace)])
  const commands = createCommands(workspace, {
    showHelp: () => help.showModal(),
    showPalette: () => palette.show(),
  })
  const announcer = new Announcer()
  const body = element('div', { class: 'body' }, seriesList(workspace), workspace.root)
  const warning = new PersonWarning(workspace)
  place.replaceChildren(banner.root, warning.root, body, announcer.root, help, palette.root)
  const keptPlace = takePlace()
  workspace.start(entry, preview, keptPlace)
  place.prepend(toolbar(workspace, commands))
  workspace.onChange(() => announce(workspace, announcer))
  workspace.onChange(() => {
    const { entry: shown } = workspace.active
    if (shown) header.show(study.subjectOf(shown.studyUid), shown)
  })
  findPriorsAfterwards(workspace)
  window.addEventListener('online', goOn)
  workspace.onClose(() => window.removeEventListener('online', goOn))
  askBeforeLoss(workspace)
  workspace.onClose(addKeys({ current: commands }))
  if (keptPlace?.isHelpOpen) help.showModal()
  workspace.onClose(keepPlace(() => ({ ...workspace.place, isHelpOpen: help.open })))
  return () => {
    workspace.close()
    stopEngine()
  }
}

/** Measurements are kept nowhere: whoever would lose them is asked first. */
function askBeforeLoss(workspace: Workspace): void {
  const ask = (event: BeforeUnloadEvent) => {
    // Where the session or the link has ended, the pictures are off the page, and whatever is left of it goes unasked.
    if (workspace.root.isConnected && finishedCount() > 0) event.preventDefault()
  }
  window.addEventListener('beforeunload', ask)
  workspace.onClose(() => window.removeEventListener('beforeunload', ask))
}

/** Once the first picture is there, or it is known that it does not come: nothing may hold it up. */
function findPriorsAfterwards(workspace: Workspace): void {
  let isAsked = false
  workspace.onChange(() => {
    if (isAsked || !workspace.active.isSettled) return
    isAsked = true
    // Without an answer there are none to choose from; the study itself stays as it is.
    workspace.findPriors().catch(() => undefined)
  })
}

function announce(workspace: Workspace, announcer: Announcer): void {
  const { series, picture } = workspace.active
  if (series === undefined || workspace.cine.isPlaying) return
  announcer.say(`${seriesTitle(series)}, ${sliceText(picture.index + 1, picture.count)}`)
}

/** The banner goes as soon as pictures come in again: more than there were when the line was lost. */
function watchRecovery(workspace: Workspace, banner: Banner): { begin: () => void } {
  let previousCount = 0
  const begin = () => {
    previousCount = workspace.loadedCount
  }
  workspace.onChange(() => {
    if (workspace.loadedCount > previousCount) banner.hide()
    begin()
  })
  return { begin }
}
