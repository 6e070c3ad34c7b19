// Cornerstone, replaced by what it keeps of a picture: jsdom draws nothing. The journeys show the real one.

type Grey = { lower: number; upper: number }
const started = () => ({
  stack: [] as string[],
  index: -1,
  zoom: 1,
  rotation: 0,
  invert: false,
  flipHorizontal: false,
  flipVertical: false,
  voiRange: undefined as Grey | undefined,
})

/**
 * The calls that the fake has seen; `answer` lets one of the pictures that are asked for come in, `fail` loses the
 * line.
 */
export const stage = {
  viewports: new Map<string, ReturnType<typeof aViewport>>(),
  asked: [] as { id: string; how: unknown; answer: () => void; fail: () => void }[],
  pictures: [] as { color: boolean; windowWidth?: number[]; windowCenter?: number[] }[],
  headers: [] as string[],
  dropped: [] as unknown[],
  resized: [] as unknown[],
  annotations: [] as { annotationUID: string }[],
  /** The measurement that keeps the mouse for itself until it is finished, or somebody lets it go. */
  holding: undefined as string | undefined,
  drawn: undefined as string | undefined,
  selected: [] as string[],
  isSlow: false,
  isDamaged: false,
  isColour: false,
  hasWindow: true,
  /** Drawn by the processor, Cornerstone measures its zoom in pixels, and not before a picture is drawn. */
  isOnProcessor: false,
  isUndrawable: false,
  /** Holds the next pictures up until it resolves, or lets them fail. */
  drawing: undefined as Promise<unknown> | undefined,
  /** Pictures and measurements that were changed and not drawn since: nobody sees it. */
  undrawn: new Set<string>(),
}

function aViewport(element: HTMLElement, id: string) {
  const state = started()
  const change = (some: object) => {
    Object.assign(state, some)
    stage.undrawn.add(id)
  }
  return {
    state,
    element,
    fits: [] as unknown[],
    render: () => {
      stage.undrawn.delete(id)
      element.dispatchEvent(new Event('rendered'))
    },
    async setStack(stack: string[], index: number) {
      if (stage.isUndrawable) throw new TypeError('Nobody looked whether it was there.')
      if (stage.drawing) await stage.drawing
      Object.assign(state, { stack, index, invert: false, voiRange: { lower: 0, upper: 99 } })
      this.render()
    },
    async setImageIdIndex(index: number) {
      if (stage.drawing) await stage.drawing
      state.index = index
      this.render()
    },
    getProperties: () => state,
    setProperties: change,
    getZoom: () => (stage.isOnProcessor && state.index < 0 ? undefined : state.zoom),
    setZoom: (zoom: number) => change({ zoom }),
    getViewPresentation: () => state,
    setViewPresentation: change,
    getCamera: () => state,
    setCamera: change,
    resetCamera(how: unknown) {
      this.fits.push(how)
      change({ zoom: stage.isOnProcessor ? 20 : 1 })
    },
    canvasToWorld: ([x = 0, y = 0]: number[]) => {
      const turned = { 0: [x, y], 90: [y, -x], 180: [-x, -y], 270: [-y, x] }[state.rotation] ?? []
      return [(turned[0] ?? 0) * (state.flipHorizontal ? -1 : 1), (turned[1] ?? 0) * (state.flipVertical ? -1 : 1), 0]
    },
  }
}

export const eventTarget = new EventTarget()
const tell = (kind: string, annotationUID: string, where = {}) =>
  eventTarget.dispatchEvent(
    new CustomEvent(kind, { detail: { annotation: { annotationUID, metadata: { toolName: 'length' } }, ...where } }),
  )
/** A click that begins a measurement in a pane; its other end is where the next click is. */
export function beginMeasurement(annotationUID: string, viewportId = 'pane-1'): void {
  stage.annotations = [...stage.annotations, { annotationUID }]
  stage.holding = annotationUID
  tell('added', annotationUID, { viewportId })
}
export function finishMeasurement(): void {
  const uid = stage.holding
  stage.holding = undefined
  if (uid !== undefined) tell('completed', uid)
}
const loadAndCacheImage = (id: string, how: unknown) =>
  new Promise((resolve, reject) => {
    const answer = () => {
      const brightest = stage.pictures.length + 9
      const picture = {
        rows: 4,
        columns: 8,
        color: stage.isColour,
        getPixelData: () =>
          Uint8Array.from({ length: stage.isDamaged ? 3 : 32 }, (_, at) => (at === 0 ? brightest : 0)),
      }
      stage.pictures.push(picture)
      resolve(picture)
    }
    stage.asked.push({ id, how, answer, fail: () => reject({ status: 0 }) })
    if (!stage.isSlow) answer()
  })
const group = () => ({
  getToolInstance: () => ({
    cancel() {
      // It draws its measurements in the next frame.
      stage.drawn = stage.holding
      finishMeasurement()
    },
  }),
  hasTool: () => true,
  addTool() {},
  addViewport() {},
  removeViewports() {},
  setToolPassive() {},
  setToolActive() {},
})
class ATool {}
class RenderingEngine {
  enableElement = ({ viewportId, element }: { viewportId: string; element: HTMLElement }) =>
    void stage.viewports.set(viewportId, aViewport(element, viewportId))
  disableElement = (id: string) => void stage.viewports.delete(id)
  getViewport = (id: string) => stage.viewports.get(id)
  resize = (...how: unknown[]) => void stage.resized.push(how)
  render = () => stage.undrawn.clear()
}
export const core = () => ({
  cache: {
    getMaxCacheSize: () => 1000,
    setMaxCacheSize() {},
    removeImageLoadObject: (...what: unknown[]) => stage.dropped.push(what),
  },
  Enums: {
    ViewportType: { STACK: 'stack' },
    Events: { IMAGE_RENDERED: 'rendered', IMAGE_CACHE_IMAGE_REMOVED: 'removed' },
  },
  eventTarget,
  imageLoader: { loadAndCacheImage, registerImageLoader() {} },
  metaData: { get: () => (stage.hasWindow ? { windowWidth: [1] } : {}) },
  getEnabledElementByViewportId: (id: string) => ({ viewport: stage.viewports.get(id) }),
  getRenderingEngine: () => undefined,
  getShouldUseCPURendering: () => false,
  init() {},
  RenderingEngine,
  utilities: {
    windowLevel: {
      toWindowLevel: (lower: number, upper: number) => ({
        windowWidth: upper - lower + 1,
        windowCenter: (lower + upper + 1) / 2,
      }),
      toLowHighRange: (width: number, center: number) => ({ lower: center - width / 2, upper: center + width / 2 - 1 }),
    },
  },
})
export const imageLoading = () => ({
  init() {},
  wadors: { metaDataManager: { add: (id: string) => stage.headers.push(id) } },
})
export const tools = () => ({
  annotation: {
    selection: { getAnnotationsSelected: () => stage.selected },
    state: {
      getAllAnnotations: () => stage.annotations,
      removeAnnotation: (uid: string) => {
        stage.annotations = stage.annotations.filter(({ annotationUID }) => annotationUID !== uid)
        if (stage.drawn !== uid) stage.undrawn.add(`measurement ${uid}`)
        tell('gone', uid)
      },
    },
  },
  AngleTool: ATool,
  BaseTool: ATool,
  EllipticalROITool: ATool,
  LengthTool: ATool,
  PanTool: ATool,
  WindowLevelTool: ATool,
  ZoomTool: ATool,
  Enums: {
    MouseBindings: {},
    Events: { ANNOTATION_ADDED: 'added', ANNOTATION_COMPLETED: 'completed', ANNOTATION_REMOVED: 'gone' },
  },
  ToolGroupManager: { getToolGroup: group, destroyToolGroup() {} },
  addTool() {},
  removeTool() {},
  init() {},
})

/** Forgets everything, as a new tab does. */
export function clearStage(): void {
  Object.assign(stage, {
    asked: [],
    pictures: [],
    headers: [],
    dropped: [],
    resized: [],
    annotations: [],
    holding: undefined,
    selected: [],
    isSlow: false,
    isDamaged: false,
    isColour: false,
    hasWindow: true,
    isOnProcessor: false,
    isUndrawable: false,
    drawing: undefined,
    undrawn: new Set(),
  })
  stage.viewports.clear()
}
