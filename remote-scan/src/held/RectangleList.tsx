import { useRef } from 'react'
import type { Rectangle } from '@dmp/contract/scan'
import { limits } from '@dmp/contract/limits'
import { Button, DeleteOutlined } from '@dmp/kit/ui'
import { fitRectangle, withBand, type Size } from './masks.ts'
import { NumberField } from './NumberField.tsx'

interface RectangleListProps {
  readonly size: Size
  readonly rectangles: readonly Rectangle[]
  readonly onChange: (rectangles: readonly Rectangle[]) => void
}

/** The same rectangles as numbers, for the keyboard and for exactness. */
export function RectangleList({ size, rectangles, onChange }: RectangleListProps) {
  const add = useRef<HTMLButtonElement>(null)
  const isFull = rectangles.length >= limits.maskRectangles
  const replace = (index: number, rectangle: Rectangle) =>
    onChange(rectangles.map((other, at) => (at === index ? fitRectangle(rectangle, size) : other)))
  /** The second click of a hurried person, who would take the next one away, too, is none: it moved to that place. */
  const remove = (index: number, clicks: number) => {
    if (clicks > 1) return
    add.current?.focus()
    onChange(rectangles.filter((_, at) => at !== index))
  }
  return (
    <>
      {rectangles.map((rectangle, index) => (
        // Buttons that remove are of one rectangle: none becomes that of the next.
        <fieldset key={`${rectangles.length} ${index}`} className="held-rectangle">
          <legend>Rectangle {index + 1}</legend>
          <div className="held-numbers">
            <NumberField
              label="Left"
              value={rectangle.x}
              min={0}
              max={size.columns - 1}
              onChange={(x) => replace(index, { ...rectangle, x })}
            />
            <NumberField
              label="Top"
              value={rectangle.y}
              min={0}
              max={size.rows - 1}
              onChange={(y) => replace(index, { ...rectangle, y })}
            />
            <NumberField
              label="Width"
              value={rectangle.width}
              min={1}
              max={size.columns}
              onChange={(width) => replace(index, { ...rectangle, width })}
            />
            <NumberField
              label="Height"
              value={rectangle.height}
              min={1}
              max={size.rows}
              onChange={(height) => replace(index, { ...rectangle, height })}
            />
            <Button
              aria-label={`Remove rectangle ${index + 1}`}
              title="Remove"
              icon={<DeleteOutlined aria-hidden />}
              onClick={({ detail }) => remove(index, detail)}
            />
          </div>
        </fieldset>
      ))}
      {/* A hurried person's second click adds nothing: the first rectangle has not been moved yet. */}
      <Button ref={add} disabled={isFull} onClick={() => onChange(withBand(rectangles, size))}>
        Add rectangle
      </Button>
    </>
  )
}
