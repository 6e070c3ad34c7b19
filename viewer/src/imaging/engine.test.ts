// Cornerstone itself needs WebGL: what it is told is what counts here; the journeys show that it understands.
const told = {
  isFull: false,
  engine: undefined as object | undefined,
  workers: 0,
  bytes: 0,
  schemes: [] as string[],
  added: [] as (new () => unknown)[],
  dropped: [] as string[],
  bindings: new Map<string, unknown[]>(),
  /** The tools that a group was given, and of which of them the lines are ours; undefined where it has all. */
  given: undefined as [string, boolean][] | undefined,
  passive: [] as unknown[],
}

class ATool {}
const named = (toolName: string) =>
  class extends ATool {
    static toolName = toolName
  }
const group = {
  hasTool: (name: string) => told.given?.some(([given]) => given === name) ?? true,
  addTool: (name: string, how?: { getTextLines: unknown }) => told.given?.push([name, how?.getTextLines !== undefined]),
  addViewport() {},
  setToolPassive: (name: string, how: unknown) => {
    told.bindings.delete(name)
    told.passive.push(how)
  },
  setToolActive: (name: string, { bindings }: { bindings: unknown[] }) => void told.bindings.set(name, bindings),
}
jest.doMock('@cornerstonejs/core', () => ({
  cache: { setMaxCacheSize: (bytes: number) => (told.bytes = bytes) },
  eventTarget: new EventTarget(),
  getRenderingEngine: () => told.engine,
  imageLoader: { registerImageLoader: (scheme: string) => told.schemes.push(scheme) },
  init() {},
  RenderingEngine: ATool,
}))
jest.doMock('@cornerstonejs/dicom-image-loader', () => ({
  init: ({ maxWebWorkers }: { maxWebWorkers: number }) => (told.workers = maxWebWorkers),
}))
jest.doMock('@cornerstonejs/tools', () => ({
  AngleTool: named('Angle'),
  BaseTool: ATool,
  EllipticalROITool: named('Ellipse'),
  LengthTool: named('Length'),
  PanTool: named('Pan'),
  WindowLevelTool: ATool,
  ZoomTool: named('Zoom'),
  Enums: {
    MouseBindings: { Primary: 'left', Secondary: 'right', Auxiliary: 'middle', Wheel: 'wheel' },
    Events: { ANNOTATION_ADDED: 'added', ANNOTATION_COMPLETED: 'completed', ANNOTATION_REMOVED: 'gone' },
  },
  ToolGroupManager: {
    getToolGroup: () => (told.isFull ? undefined : group),
    createToolGroup: () => undefined,
    destroyToolGroup: (id: string) => told.dropped.push(id),
  },
  removeTool: (tool: new () => unknown) => void told.added.splice(told.added.indexOf(tool), 1),
  addTool: (tool: new () => unknown) => told.added.push(tool),
  init() {},
}))

const machine = (of: object) => {
  for (const [name, value] of Object.entries(of)) Object.defineProperty(navigator, name, { value, configurable: true })
}
const tool = async <T>(toolName: string) => {
  const { startEngine } = await import('./engine.ts')
  startEngine()
  const Tool = told.added.find((one) => (one as unknown as { toolName: string }).toolName === toolName)!
  return new Tool() as T
}

describe('the machine', () => {
  it.each([
    [undefined, 1, 4, 512],
    [1, 1, 1, 256],
    [2, 1, 1, 256],
    [3, 2, 3, 384],
    [5, 4, 4, 512],
    [16, 4, 32, 1024],
    [4, 3, undefined, 512],
  ])(
    'of %p processors decodes in %i workers; of %p GB it gives %i MB to pictures [7.42]',
    async (hardwareConcurrency, workers, deviceMemory, megabytes) => {
      machine({ hardwareConcurrency, deviceMemory })
      const { startEngine } = await import('./engine.ts')
      startEngine()
      expect([told.workers, told.bytes / 1024 / 1024]).toEqual([workers, megabytes])
    },
  )
})

describe('a page that takes the place of another', () => {
  it('draws with the engine that is there, and has tools of its own', async () => {
    const { startEngine, stopEngine } = await import('./engine.ts')
    told.added.length = 0
    startEngine()
    const count = told.added.length
    stopEngine()
    expect([count > 0, told.added, told.dropped]).toEqual([true, [], ['panes']])
    told.engine = { of: 'the page before' }
    expect(startEngine()).toBe(told.engine)
    expect(told.added).toHaveLength(count)
    told.engine = undefined
  })
})

it.each([
  ['of a request that the loader has dealt with already', new XMLHttpRequest(), true],
  ['of anything else', new Error('odd'), false],
])('a promise that nobody holds is silent where it is one %s [7.42]', async (_what, reason, isSilent) => {
  const { startEngine, stopEngine } = await import('./engine.ts')
  startEngine()
  const reject = () => {
    const event = Object.assign(new Event('unhandledrejection', { cancelable: true }), { reason })
    window.dispatchEvent(event)
    return event.defaultPrevented
  }
  expect(reject()).toBe(isSilent)
  stopEngine()
  expect(reject()).toBe(false)
})

describe('the tools', () => {
  it('scroll by a slice for each eight pixels, and keep the rest for the next move [7.42]', async () => {
    const scroll = await tool<{
      mouseDragCallback: (drag: unknown) => void
      touchDragCallback: (drag: unknown) => void
      mouseWheelCallback: (turn: unknown) => void
    }>('SliceScroll')
    const { equip } = await import('./tools.ts')
    const element = document.createElement('div')
    const steps: number[] = []
    equip('pane-1', element, (by) => steps.push(by))
    for (const down of [7, 1, 20, 4, -16])
      scroll.mouseDragCallback({ detail: { element, deltaPoints: { canvas: [0, down] } } })
    scroll.touchDragCallback({ detail: { element, deltaPoints: { canvas: [0, 8] } } })
    scroll.mouseWheelCallback({ detail: { element, wheel: { direction: -1 } } })
    expect(steps).toEqual([1, 2, 1, -2, 1, -1])
  })

  it('change a window in proportion to its width, and never down to nothing [7.42]', async () => {
    const { getNewRange } = await tool<{ getNewRange: (drag: object) => { lower: number; upper: number } }>('Window')
    const dragged = (across: number, down: number) =>
      getNewRange({ deltaPointsCanvas: [across, down], lower: 100, upper: 400 })
    expect(dragged(0, 0)).toEqual({ lower: 100, upper: 400 })
    expect(dragged(60, 0)).toEqual({ lower: 70, upper: 430 })
    expect(dragged(0, 30)).toEqual({ lower: 130, upper: 430 })
    expect(dragged(-9000, 0)).toEqual({ lower: 242.5, upper: 257.5 })
  })

  it('are given to a picture once each, and measurements are written in our words [7.42]', async () => {
    const { chooseTool, equip } = await import('./tools.ts')
    told.given = []
    // None is there yet: nothing is activated that is not.
    told.bindings.clear()
    chooseTool('length')
    expect([...told.bindings]).toEqual([])
    for (const pane of ['pane-1', 'pane-2']) equip(pane, document.createElement('div'), () => undefined)
    expect(told.given).toEqual([
      ['Window', false],
      ['SliceScroll', false],
      ['Pan', false],
      ['Zoom', false],
      ['Length', true],
      ['Angle', true],
      ['Ellipse', true],
    ])
    told.given = undefined
  })

  it('lie on the left button and one finger when chosen; zoom, pan and scroll keep buttons and fingers of their own [7.42]', async () => {
    const { chooseTool } = await import('./tools.ts')
    chooseTool('length')
    chooseTool('zoom')
    expect(Object.fromEntries(told.bindings)).toEqual({
      Zoom: [{ mouseButton: 'left' }, { mouseButton: 'right' }, { numTouchPoints: 2 }],
      Pan: [{ mouseButton: 'middle' }],
      SliceScroll: [{ mouseButton: 'wheel' }, { numTouchPoints: 3 }],
    })
    expect(told.passive.every((how) => (how as { removeAllBindings: boolean }).removeAllBindings)).toBe(true)
  })

  it('cannot be had where the engine makes none: the browser cannot draw [7.42, P28]', async () => {
    const { chooseTool } = await import('./tools.ts')
    told.isFull = true
    expect(() => chooseTool('pan')).toThrow('This browser cannot show the images')
    told.isFull = false
  })
})
