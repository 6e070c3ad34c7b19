import { useEffect, type CSSProperties, type ReactNode } from 'react'
import { scan } from '@dmp/contract'
import type { HeldPicture } from '@dmp/contract/scan'
import { useLookup } from '@dmp/kit'
import { ErrorAlert } from '@dmp/kit/screen'
import { Spinner } from '@dmp/kit/ui'

interface HeldStageProps {
  readonly id: string
  readonly picture: HeldPicture
  readonly frame: number
  readonly showsAllValues: boolean
  /** Once it is on the screen, or cannot be. */
  readonly onSeen: (isShown: boolean) => void
  /** Over the picture. */
  readonly children: ReactNode
}

/** One frame, as large as there is room. It is never loaded before somebody looks at it: the server counts that. */
export function HeldStage({ id, picture, frame, showsAllValues, onSeen, children }: HeldStageProps) {
  const { instanceUID, rows, columns } = picture
  const { data, error, refetch } = useLookup(scan.getHeldPicture, {
    id,
    instanceUID,
    frame,
    values: showsAllValues ? 'all' : 'stated',
  })
  const alt =
    picture.frames > 1 ? `Picture ${picture.instanceNumber}, frame ${frame}` : `Picture ${picture.instanceNumber}`
  const shape: CSSProperties & Record<'--ratio', number> = { '--ratio': columns / rows }
  if (error) return <ErrorAlert error={error} onRetry={refetch} />
  return (
    <div className="held-stage" style={shape}>
      {!data && (
        <p className="held-wait" role="status">
          <Spinner /> {alt} is being loaded
        </p>
      )}
      {data?.picture && (
        <>
          <img src={data.picture} alt={alt} onLoad={() => onSeen(true)} draggable={false} />
          {children}
        </>
      )}
      {data?.problem && <HeldProblem problem={data.problem} onSeen={onSeen} />}
    </div>
  )
}

function HeldProblem({ problem, onSeen }: { problem: string; onSeen: (isShown: boolean) => void }) {
  // What has been told is known outside of this component.
  useEffect(() => onSeen(false), [onSeen])
  return (
    <p className="held-problem" role="status">
      {problem}
    </p>
  )
}
