import { Choice } from '@dmp/kit/form'
import type { ShownOrganization } from './ScanOrganization.tsx'

/** The dropdown of organizations, for people who see more than their own (2.58). */
export function OrganizationChoice({ id, choices, choose }: ShownOrganization) {
  if (!choices || !choose) return null
  return (
    <Choice
      label="Organization"
      options={choices.map((choice) => ({ value: choice.id, label: choice.name }))}
      value={id}
      onChange={choose}
    />
  )
}
