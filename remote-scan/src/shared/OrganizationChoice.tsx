import type { Choice } from '@dmp/kit/form'
import { useEffect, useState } from 'react'
import type { ShownOrganization } from './ScanOrganization.tsx'
import './choice.css'

let LoadedChoice: typeof Choice | undefined
const retryMs = 2000

/** The dropdown of organizations, for people who see more than their own (2.58). */
export function OrganizationChoice({ id, choices, choose }: ShownOrganization) {
  const isHere = useChoice(choices !== undefined)
  if (!choices || !choose) return null
  // As large as what comes, or the list would move.
  if (!isHere || !LoadedChoice) return <span className="scan-choice-late">Organization</span>
  return (
    <LoadedChoice
      label="Organization"
      options={choices.map((choice) => ({ value: choice.id, label: choice.name }))}
      value={id}
      onChange={choose}
    />
  )
}

/** Nothing else on a list needs forms, and most people see one organization only: forms come for the others. */
function useChoice(isWanted: boolean): boolean {
  const [isHere, setHere] = useState(LoadedChoice !== undefined)
  // Loading is outside React.
  useEffect(() => {
    if (isHere || !isWanted) return
    let isGone = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const retry = () => {
      if (!isGone) timer = setTimeout(load, retryMs)
    }
    const load = () =>
      void import('@dmp/kit/form').then((form) => {
        LoadedChoice = form.Choice
        if (!isGone) setHere(true)
      }, retry)
    load()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [isHere, isWanted])
  return isHere
}
