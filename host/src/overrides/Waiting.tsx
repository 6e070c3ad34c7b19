import { Button } from '@dmp/kit/ui'
import type { ReactNode } from 'react'
import { dismissQuestion } from '../remotes/overrideState.ts'

/** Says why a link's question is not asked, until the user has read it. */
export function Waiting({ children }: { children: ReactNode }) {
  return (
    <div className="dmp-overrides" role="status">
      <span>{children}</span>
      <Button size="small" onClick={dismissQuestion}>
        Discard
      </Button>
    </div>
  )
}
