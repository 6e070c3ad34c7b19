import { eventTarget, getEnabledElementByViewportId } from '@cornerstonejs/core'
import {
  annotation,
  AngleTool,
  BaseTool,
  EllipticalROITool,
  Enums,
  LengthTool,
  PanTool,
  ToolGroupManager,
  type Types,
  WindowLevelTool,
  ZoomTool,
} from '@cornerstonejs/tools'
import { wadors } from '@cornerstonejs/dicom-image-loader'
import type { JsonDataset } from '@dmp/dicom'
import { ViewerFailure } from '../failure.ts'
import { isAtDetector } from '../study/plane.ts'
import { angleLines, areaLines, lengthLines } from './measurementLines.ts'

export const engineId = 'viewer'

export type ToolName = 'window' | 'scroll' | 'pan' | 'zoom' | 'length' | 'angle' | 'ellipse'

type Drag = { detail: { viewportId: string; element: HTMLElement; deltaPoints: { canvas: number[] } } }
type Turn = { detail: { element: HTMLElement; wheel: { direction: number } } }

const dragPixelsPerSlice = 8
const scrollers = new WeakMap<HTMLElement, (steps: number) => void>()

/**
 * Scrolls through a stack by our own count of slices, so that loading, slider and keyboard all agree on where we are.
 */
class SliceScrollTool extends BaseTool {
  static override toolName = 'SliceScroll'
  #rest = 0

  constructor(props = {}, defaults = { supportedInteractionTypes: ['Mouse', 'Touch'] }) {
    super(props, defaults)
  }

  mouseWheelCallback(event: Turn): void {
    scrollers.get(event.detail.element)?.(event.detail.wheel.direction)
  }

  mouseDragCallback(event: Drag): void {
    this.#rest += event.detail.deltaPoints.canvas[1] ?? 0
    const steps = Math.trunc(this.#rest / dragPixelsPerSlice)
    if (steps === 0) return
    this.#rest -= steps * dragPixelsPerSlice
    scrollers.get(event.detail.element)?.(steps)
  }

  touchDragCallback(event: Drag): void {
    this.mouseDragCallback(event)
  }
}

type WindowDrag = { deltaPointsCanvas: number[]; lower: number; upper: number }

const dragPixelsPerWidth = 300

/** Changes the window in proportion to its present width, so that narrow and wide ranges feel alike. */
class WindowTool extends WindowLevelTool {
  static override toolName = 'Window'

  override getNewRange = ({ deltaPointsCanvas: [across = 0, down = 0], lower, upper }: WindowDrag) => {
    const width = upper - lower
    const share = Math.max(width, Number.EPSILON) / dragPixelsPerWidth
    const newWidth = Math.max(width * 0.05, width + across * share)
    const center = (lower + upper) / 2 + down * share
    return { lower: center - newWidth / 2, upper: center + newWidth / 2 }
  }
}

const classes = {
  window: WindowTool,
  scroll: SliceScrollTool,
  pan: PanTool,
  zoom: ZoomTool,
  length: LengthTool,
  angle: AngleTool,
  ellipse: EllipticalROITool,
} as const satisfies Record<ToolName, unknown>

const names = Object.keys(classes) as ToolName[]

/** What Cornerstone itself writes beside a measurement is English. */
const textLines: Partial<Record<ToolName, typeof areaLines>> = {
  length: lengthLines,
  angle: angleLines,
  ellipse: areaLines,
}

const withPlaceOfSpacing =
  (say: typeof areaLines) =>
  (data: Parameters<typeof areaLines>[0], picture: string): string[] => {
    const header = wadors.metaDataManager.get(picture.replace(/^imageId:/, '')) as unknown as JsonDataset | undefined
    return say(data, picture, header !== undefined && isAtDetector(header))
  }

export const offered = Object.values(classes)

const groupId = 'panes'
const { MouseBindings } = Enums

// The tools that stay on the other buttons and fingers whichever tool is chosen.
const standingBindings: Partial<Record<ToolName, Types.IToolBinding[]>> = {
  scroll: [{ mouseButton: MouseBindings.Wheel }, { numTouchPoints: 3 }],
  pan: [{ mouseButton: MouseBindings.Auxiliary }],
  zoom: [{ mouseButton: MouseBindings.Secondary }, { numTouchPoints: 2 }],
}

function group() {
  const toolGroup = ToolGroupManager.getToolGroup(groupId) ?? ToolGroupManager.createToolGroup(groupId)
  if (toolGroup === undefined) throw new ViewerFailure('graphics')
  return toolGroup
}

/** Gives a picture its tools; `scroll` is told by how many slices to move. */
export function equip(viewportId: string, target: HTMLElement, scroll: (steps: number) => void): void {
  const tools = group()
  for (const name of names) {
    const { toolName } = classes[name]
    const sayLines = textLines[name]
    if (!tools.hasTool(toolName)) tools.addTool(toolName, sayLines && { getTextLines: withPlaceOfSpacing(sayLines) })
  }
  tools.addViewport(viewportId, engineId)
  scrollers.set(target, scroll)
  // Cornerstone lets no wheel through while something is half-made.
  const turn = (event: WheelEvent) => {
    if (!isMeasuring()) return
    event.stopImmediatePropagation()
    scroll(event.deltaY < 0 ? -1 : 1)
  }
  target.addEventListener('wheel', turn, { capture: true, passive: true })
}

export function unequip(viewportId: string): void {
  group().removeViewports(engineId, viewportId)
}

/** After it, pictures have to be equipped anew. */
export const dropTools = (): void => ToolGroupManager.destroyToolGroup(groupId)

/** Puts a tool on the left mouse button and on one finger. */
export function chooseTool(nextTool: ToolName): void {
  cancelMeasurement()
  const tools = group()
  for (const name of names) {
    const bindings = [
      ...(name === nextTool ? [{ mouseButton: MouseBindings.Primary }] : []),
      ...(standingBindings[name] ?? []),
    ]
    const toolName = classes[name].toolName
    if (!tools.hasTool(toolName)) continue
    // Passive first: activating adds to the bindings that are there.
    tools.setToolPassive(toolName, { removeAllBindings: true })
    if (bindings.length > 0) tools.setToolActive(toolName, { bindings })
  }
}

interface Unfinished {
  readonly uid: string
  readonly toolName: string
  readonly viewportId: string
}

/** The measurement whose next point follows the mouse. Until it has it, Cornerstone leaves everything else undone. */
let unfinished: Unfinished | undefined

type MeasurementEvent = CustomEvent<{
  annotation: { annotationUID?: string; metadata: { toolName: string } }
  viewportId?: string
}>

const begun = (event: Event): void => {
  const { annotation: drawn, viewportId } = (event as MeasurementEvent).detail
  if (drawn.annotationUID === undefined || viewportId === undefined) return
  unfinished = { uid: drawn.annotationUID, toolName: drawn.metadata.toolName, viewportId }
}
const ended = (event: Event): void => {
  if ((event as MeasurementEvent).detail.annotation.annotationUID === unfinished?.uid) unfinished = undefined
}

/** Notes which measurement is half-made. */
export function watchMeasurements(): void {
  eventTarget.addEventListener(Enums.Events.ANNOTATION_ADDED, begun)
  eventTarget.addEventListener(Enums.Events.ANNOTATION_COMPLETED, ended)
  eventTarget.addEventListener(Enums.Events.ANNOTATION_REMOVED, ended)
}

export const isMeasuring = (): boolean => unfinished !== undefined

/** Takes a measurement away that is half-made: the mouse is free for whatever comes next. */
export function cancelMeasurement(): void {
  if (unfinished === undefined) return
  const { uid, toolName, viewportId } = unfinished
  unfinished = undefined
  const element = getEnabledElementByViewportId(viewportId)?.viewport.element
  if (element) (group().getToolInstance(toolName) as LengthTool | undefined)?.cancel(element)
  annotation.state.removeAnnotation(uid)
}

/** Removes a half-made measurement, or the selected ones, or the one drawn last where none is selected. */
export function eraseMeasurement(): void {
  if (isMeasuring()) return cancelMeasurement()
  const selected = annotation.selection.getAnnotationsSelected()
  const newest = annotation.state.getAllAnnotations().at(-1)?.annotationUID
  for (const uid of selected.length > 0 ? selected : [newest])
    if (uid !== undefined) annotation.state.removeAnnotation(uid)
}

/** Is told when a measurement was drawn or went. */
export function onMeasurement(listener: () => void): void {
  for (const event of [
    Enums.Events.ANNOTATION_ADDED,
    Enums.Events.ANNOTATION_COMPLETED,
    Enums.Events.ANNOTATION_REMOVED,
  ])
    eventTarget.addEventListener(event, listener)
}

/** The measurements that would be missed: they are kept nowhere. */
export const finishedCount = (): number => measurementCount() - (isMeasuring() ? 1 : 0)

export const measurementCount = (): number => annotation.state.getAllAnnotations().length
