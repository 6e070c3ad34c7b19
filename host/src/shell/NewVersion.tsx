import { useHasUnsaved } from '@dmp/kit'
import { Button } from '@dmp/kit/ui'
import { useState } from 'react'
import { useNewerVersion } from '../composition/useNewerVersion.ts'

/** A newer version is offered, never forced; who has something unsaved is told so first. */
export function NewVersion() {
  const isNewer = useNewerVersion()
  const hasUnsaved = useHasUnsaved()
  const [isDeclined, setIsDeclined] = useState(false)
  if (!isNewer || isDeclined) return null
  return (
    <div className="dmp-newer" role="status">
      <span>A new version of the application is available.{hasUnsaved ? ' Save your work first.' : ''}</span>
      <Button size="small" onClick={() => location.reload()}>Reload</Button>
      <Button size="small" type="text" onClick={() => setIsDeclined(true)}>Later</Button>
    </div>
  )
}
