import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { limits } from '@dmp/contract/limits'
import type { Rectangle } from '@dmp/contract/scan'
import { moveRectangle, resizeRectangle, spanRectangle, type Point, type Size } from './masks.ts'

interface MaskLayerProps {
  readonly size: Size
  readonly rectangles: readonly Rectangle[]
  /** While a pointer moves, then once when it is lifted. */
  readonly onDraw: (rectangles: readonly Rectangle[]) => void
  readonly onDone: (rectangles: readonly Rectangle[]) => void
}

interface Drag {
  readonly from: Point
  /** The rectangle that is moved; a new one is drawn where there is none. */
  readonly index: number | undefined
  readonly before: readonly Rectangle[]
}

const steps: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
/** A click that moved less is no rectangle. */
const leastPixels = 3
/** With Ctrl or Alt, arrow keys go this much of the picture at a time. */
const largeStep = 20

/** The rectangles over a picture, in its own pixels: drawn and moved by pointer or keys. */
export function MaskLayer({ size, rectangles, onDraw, onDone }: MaskLayerProps) {
  const layer = useRef<SVGSVGElement>(null)
  const [drag, setDrag] = useState<Drag>()

  function toPoint({ clientX, clientY }: PointerEvent): Point {
    const box = layer.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1)
    return {
      x: ((clientX - box.left) / (box.width || 1)) * size.columns,
      y: ((clientY - box.top) / (box.height || 1)) * size.rows,
    }
  }

  function findDrawn(event: PointerEvent, { from, index, before }: Drag): readonly Rectangle[] {
    const to = toPoint(event)
    if (index !== undefined)
      return before.map((rectangle, at) =>
        at === index ? moveRectangle(rectangle, to.x - from.x, to.y - from.y, size) : rectangle,
      )
    const isLarge = Math.abs(to.x - from.x) >= leastPixels && Math.abs(to.y - from.y) >= leastPixels
    // As many as the server takes, and the button adds.
    return isLarge && before.length < limits.maskRectangles ? [...before, spanRectangle(from, to, size)] : before
  }

  function begin(event: PointerEvent, index?: number): void {
    if (event.button !== 0) return
    event.stopPropagation()
    layer.current?.setPointerCapture(event.pointerId)
    setDrag({ from: toPoint(event), index, before: rectangles })
  }

  function end(event: PointerEvent): void {
    if (!drag) return
    const drawn = findDrawn(event, drag)
    setDrag(undefined)
    if (drawn === drag.before) return onDraw(drawn)
    onDone(drawn)
  }

  function press(event: KeyboardEvent, index: number): void {
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      return onDone(rectangles.filter((_, at) => at !== index))
    }
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    const far = event.ctrlKey || event.altKey ? Math.ceil(Math.max(size.rows, size.columns) / largeStep) : 1
    const change = event.shiftKey ? resizeRectangle : moveRectangle
    onDone(
      rectangles.map((rectangle, at) =>
        at === index ? change(rectangle, step[0] * far, step[1] * far, size) : rectangle,
      ),
    )
  }

  return (
    <svg
      ref={layer}
      className="held-masks"
      viewBox={`0 0 ${size.columns} ${size.rows}`}
      preserveAspectRatio="none"
      role="group"
      aria-label="Rectangles on the picture"
      onPointerDown={(event) => begin(event)}
      onPointerMove={(event) => drag && onDraw(findDrawn(event, drag))}
      onPointerUp={end}
      onPointerCancel={() => {
        if (drag) onDraw(drag.before)
        setDrag(undefined)
      }}
    >
      {rectangles.map((rectangle, index) => (
        <rect
          key={index}
          {...rectangle}
          className="held-mask"
          role="button"
          tabIndex={0}
          aria-label={describeRectangle(rectangle, index)}
          aria-describedby="held-keys"
          onKeyDown={(event) => press(event, index)}
          onPointerDown={(event) => begin(event, index)}
        />
      ))}
    </svg>
  )
}

const describeRectangle = ({ x, y, width, height }: Rectangle, index: number): string =>
  `Rectangle ${index + 1}: ${x} from the left, ${y} from the top, ${width} wide, ${height} high`
