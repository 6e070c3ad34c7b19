import { severityNames, statusNames } from '../complaint.ts'
import type { Lookup } from '../complaint.ts'
import { roleDisplayNames } from '../policy.ts'
import { roleNames } from '../user.ts'
import type { Role } from '../user.ts'

const toLookup =
  (first: number) =>
  (name: string, index: number): Lookup => ({
    id: `00000000-0000-4000-8000-000000000${first + index}`,
    name,
    isDefault: index === 0,
    isActive: true,
  })

export const complaintStatuses: readonly Lookup[] = statusNames.map(toLookup(201))

export const complaintSeverities: readonly Lookup[] = severityNames.map(toLookup(301))

export const complaintTypes: readonly Lookup[] = ['Defect', 'Usability', 'Performance', 'Data', 'Other'].map(
  toLookup(401),
)

export const regions: readonly Lookup[] = ['Europe', 'North America', 'Asia Pacific'].map(toLookup(601))

export const roles: readonly Role[] = roleNames.map((name, index) => ({
  id: `00000000-0000-4000-8000-000000000${701 + index}`,
  name,
  displayName: roleDisplayNames[name],
  isDefault: name === 'staff',
}))
