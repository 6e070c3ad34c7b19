import { useCallback, useState } from 'react'
import type { HeldScanDetail } from '@dmp/contract/scan'
import { Button } from '@dmp/kit/ui'
import { HeldStage } from './HeldStage.tsx'
import { findRectangles, withRectangles, type Choice } from './masks.ts'
import { MaskLayer } from './MaskLayer.tsx'
import { PictureChooser } from './PictureChooser.tsx'

interface HeldViewProps {
  readonly held: HeldScanDetail
  readonly at: number
  readonly seen: ReadonlySet<string>
  readonly choice: Choice
  readonly onPicture: (index: number) => void
  readonly onSeen: (instanceUID: string, isShown: boolean) => void
  readonly onShow: (choice: Choice) => void
  readonly onSave: (choice: Choice) => void
}

/** The picture with its rectangles, and the way to the others. */
export function HeldView({ held, at, seen, choice, onPicture, onSeen, onShow, onSave }: HeldViewProps) {
  const [frame, setFrame] = useState(1)
  const [showsAllValues, setAllValues] = useState(false)
  const picture = held.heldPictures[at]
  const uid = picture?.instanceUID ?? ''
  const tellSeen = useCallback((isShown: boolean) => onSeen(uid, isShown), [onSeen, uid])
  if (!picture) return null
  return (
    <section className="held-view" aria-label="Picture">
      <PictureChooser
        pictures={held.heldPictures}
        at={at}
        frame={frame}
        seen={seen}
        onPicture={(index) => {
          setFrame(1)
          onPicture(index)
        }}
        onFrame={setFrame}
      />
      <HeldStage
        key={`${uid} ${frame} ${showsAllValues}`}
        id={held.id}
        picture={picture}
        frame={frame}
        showsAllValues={showsAllValues}
        onSeen={tellSeen}
      >
        {picture.canMask && (
          <MaskLayer
            size={picture}
            rectangles={findRectangles(choice, picture)}
            onDraw={(rectangles) => onShow(withRectangles(choice, picture, rectangles))}
            onDone={(rectangles) => onSave(withRectangles(choice, picture, rectangles))}
          />
        )}
      </HeldStage>
      <div className="held-below">
        <Button
          type={showsAllValues ? 'primary' : 'default'}
          aria-pressed={showsAllValues}
          onClick={() => setAllValues(!showsAllValues)}
        >
          Show every shade
        </Button>
        <p id="held-keys" className="held-hint">
          Drag over text to blacken it. Arrow keys move a rectangle, with Shift they resize it, with Ctrl they go
          further; Delete removes it.
        </p>
      </div>
    </section>
  )
}
