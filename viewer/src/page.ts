import { readAddress, withoutSession } from './address.ts'
import { readShare, waitForEndOfShare } from './dicomweb/client.ts'
import { ViewerFailure, type FailureKind } from './failure.ts'
import { joinSession, noteEnd, takeEnd } from './session.ts'
import type { Series } from './study/series.ts'
import { Study } from './study/Study.ts'
import { element } from './ui/element.ts'
import { failurePage } from './ui/notice.ts'
import { PatientHeader } from './ui/PatientHeader.ts'
import { Preview } from './ui/Preview.ts'
import type { Frame } from './viewer.ts'

// Cornerstone is large: it is fetched while the server is asked for the headers, and run apart from that.
const fetchViewer = () =>
  import(/* webpackChunkName: "cornerstone" */ './viewerCode.ts').catch((cause: unknown) => {
    throw new ViewerFailure('network', cause)
  })

/** Running that code keeps a phone from drawing anything for seconds: there, the preview comes first if it can. */
const waitsForPreview = (): boolean => matchMedia('(pointer: coarse)').matches
const maxWaitMs = 4000

/** The page was left, or its share link or session has ended. */
let isOver = false
let leaveViewer: (() => void) | undefined
let leaveSession: (() => void) | undefined

async function start(frame: Frame): Promise<void> {
  const { place, header } = frame
  let hasCode = false
  let isOpening = true
  let preview: Preview | undefined
  const showPreview = async (series: Series): Promise<void> => {
    const arriving = new Preview(series)
    await arriving.arrives()
    if (!isOpening || isOver) return
    preview = arriving
    place.replaceChildren(preview.root)
    await new Promise(requestAnimationFrame)
  }
  const address = readAddress(location.search)
  history.replaceState(null, '', withoutSession(new URL(location.href)))
  if (address.shareId !== undefined) void showShare(frame, address.shareId)
  else leaveSession ??= joinSession(() => end(frame, 'expired'))
  try {
    const finding = Study.find(address).then((study) => {
      const entry = study.first(address.seriesUid)
      // Asked for now, so that it is here by the time that the code is; a failure shows in the pane.
      const opening = study.open(entry)
      const showPatient = () => !isOver && header.show(study.subjectOf(entry.studyUid), entry)
      void opening.then(showPatient, showPatient)
      return { study, entry, previewing: opening.then(showPreview) }
    })
    const previewed = finding.then(({ previewing }) => previewing).catch(() => undefined)
    const { runViewer } = await fetchViewer()
    if (waitsForPreview()) await Promise.race([previewed, new Promise((over) => setTimeout(over, maxWaitMs))])
    const { showViewer } = await runViewer()
    hasCode = true
    const { study, entry } = await finding
    if (isOver) return
    isOpening = false
    leaveViewer = showViewer(frame, study, entry, preview)
  } catch (thrown) {
    isOpening = false
    if (isOver) return
    if (!(thrown instanceof ViewerFailure)) tell(thrown)
    const failure = thrown instanceof ViewerFailure ? thrown : new ViewerFailure('graphics', thrown)
    // A page whose code could not be fetched, or cannot draw, has to be loaded anew; anything else can be asked again.
    place.replaceChildren(
      failurePage(failure.kind, () => (hasCode && failure.kind !== 'graphics' ? void start(frame) : location.reload())),
    )
  }
}

/** The console says it, and the server's script of this page tells of it. */
const tell = (thrown: unknown): void => (globalThis.reportError ?? console.error)(thrown)

/** The pictures go the moment that the link ends. A page that is loaded anew holds none in its memory. */
async function showShare(frame: Frame, shareId: string): Promise<void> {
  readShare(shareId)
  await waitForEndOfShare()
  end(frame, 'link-ended')
}

const showFailure = ({ place }: Frame, kind: FailureKind): void =>
  place.replaceChildren(failurePage(kind, () => location.reload()))

/** Nobody here may see the pictures any more. */
function end({ place, header }: Frame, reason: FailureKind): void {
  if (isOver) return
  isOver = true
  header.show(undefined, undefined)
  showFailure({ place, header }, reason)
  if (!leaveViewer) return
  if (reason === 'expired') noteEnd()
  location.reload()
}

const viewerTitle = () => 'Image viewer'

/** The frame of the page; what the viewer is for stands on it whatever happens. */
function makeFrame(root: HTMLElement): Frame {
  const header = new PatientHeader()
  const head = element(
    'header',
    { class: 'page-head' },
    element('h1', {}, viewerTitle()),
    header.root,
    element('p', { class: 'purpose' }, 'Not for diagnostic use'),
  )
  const place = element('main', {}, element('p', { class: 'starting', role: 'status' }, 'Loading images …'))
  root.replaceChildren(head, place)
  // The server writes it before it knows the language; the name of the application stays as it is.
  document.title = [viewerTitle(), ...document.title.split(' · ').slice(1)].join(' · ')
  return { place, header }
}

/** Puts the page up; returns a function that takes it down, so that another may take its place. */
export function openPage(root: HTMLElement | null): () => void {
  if (root !== null) {
    const frame = makeFrame(root)
    if (takeEnd()) showFailure(frame, 'expired')
    else void start(frame)
  }
  return () => {
    isOver = true
    leaveSession?.()
    leaveViewer?.()
  }
}
