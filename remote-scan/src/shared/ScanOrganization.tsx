import { useEffect, useState, type ReactNode } from 'react'
import { organization } from '@dmp/contract'
import type { OrganizationChoice } from '@dmp/contract/organization'
import { useCan, useData, useUser } from '@dmp/kit'
import { findShown } from './findShown.ts'
import { rememberedOrganization } from './rememberedOrganization.ts'

/** The organization whose scans are shown. */
export interface ShownOrganization extends OrganizationChoice {
  /** The other organizations to choose from; absent for people who see their own only. */
  readonly choices?: readonly OrganizationChoice[]
  readonly choose?: (id: string) => void
}

type Draw = (shown: ShownOrganization) => ReactNode

/** 2.58: who may list the activated organizations chooses one, everybody else sees their own. */
export function ScanOrganization({ children }: { children: Draw }) {
  const mayChoose = useCan(organization.listActivated)
  const { organizationId, organization: name } = useUser()
  return mayChoose ? <ChosenOrganization>{children}</ChosenOrganization> : children({ id: organizationId, name })
}

/** The choice is remembered (2.58, 9.11). */
function ChosenOrganization({ children }: { children: Draw }) {
  const choices = useData(organization.listActivated, {})
  const [chosen, setChosen] = useState(rememberedOrganization.read)
  // The cards of the dashboard show one together.
  useEffect(() => rememberedOrganization.subscribe(setChosen), [])
  const shown = findShown(choices, chosen)
  const kept = shown?.hasDatastore === false ? undefined : shown?.id
  // The browser's storage is outside React.
  useEffect(() => {
    if (kept !== undefined) rememberedOrganization.keep(kept)
  }, [kept])
  if (!shown) return <p>There are no active organizations.</p>
  return children({ ...shown, choices, choose: rememberedOrganization.write })
}
