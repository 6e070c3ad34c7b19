import { useHasUnsaved } from '@dmp/kit'
import { Button } from '@dmp/kit/ui'
import { useState } from 'react'
import { takeReloadNote } from '../remotes/reloadOutdatedPage.ts'
import { useNewVersion } from '../remotes/useNewVersion.ts'

/**
 * Offers a newer version without forcing it, and warns about unsaved work. After an automatic reload, says that the
 * page was reloaded.
 */
export function NewVersionBanner() {
  const isNewer = useNewVersion()
  const hasUnsaved = useHasUnsaved()
  const [isDeclined, setIsDeclined] = useState(false)
  const [wasRecovered, setWasRecovered] = useState(takeReloadNote)
  if (wasRecovered && !isNewer)
    return (
      <div className="dmp-newer" role="status">
        <span>The application was updated, so this page was reloaded. What you typed into a form is still here.</span>
        <Button size="small" type="text" onClick={() => setWasRecovered(false)}>
          Close
        </Button>
      </div>
    )
  if (!isNewer || isDeclined) return null
  return (
    <div className="dmp-newer" role="status">
      <span>
        A new version of the application is available.{hasUnsaved ? ' Save your work before you reload.' : ''}
      </span>
      <Button size="small" onClick={() => location.reload()}>
        Reload
      </Button>
      <Button size="small" type="text" onClick={() => setIsDeclined(true)}>
        Later
      </Button>
    </div>
  )
}
