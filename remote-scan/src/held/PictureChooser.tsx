import type { HeldPicture } from '@dmp/contract/scan'
import { Button } from '@dmp/kit/ui'

interface PictureChooserProps {
  readonly pictures: readonly HeldPicture[]
  readonly at: number
  readonly frame: number
  readonly seen: ReadonlySet<string>
  readonly onPicture: (index: number) => void
  readonly onFrame: (frame: number) => void
}

/** Leads to every picture and every frame. */
export function PictureChooser({ pictures, at, frame, seen, onPicture, onFrame }: PictureChooserProps) {
  const { frames = 1 } = pictures[at] ?? {}
  const nextUnseen = pictures.findIndex(({ instanceUID }) => !seen.has(instanceUID))
  return (
    <div className="held-chooser">
      <div className="held-steps" role="group" aria-label="Pictures">
        <Button disabled={at === 0} onClick={() => onPicture(at - 1)}>
          Previous
        </Button>
        <span className="held-position" aria-live="polite">
          Picture {at + 1} of {pictures.length}
        </span>
        <Button disabled={at === pictures.length - 1} onClick={() => onPicture(at + 1)}>
          Next
        </Button>
        {nextUnseen >= 0 && nextUnseen !== at && (
          <Button onClick={() => onPicture(nextUnseen)}>Next that nobody has seen</Button>
        )}
      </div>
      {frames > 1 && (
        <label className="held-frames">
          <span>
            Frame {frame} of {frames}
          </span>
          <input
            type="range"
            min={1}
            max={frames}
            value={frame}
            onChange={({ target }) => onFrame(Number(target.value))}
          />
        </label>
      )}
    </div>
  )
}
