import { providerOrganizationId } from '../organization.ts'

/** A UUID made of a number, so that examples can be told apart: `anId(7)`. */
export const anId = (n: number): string => `00000000-0000-4000-9000-${n.toString(16).padStart(12, '0')}`

export const northClinic = { id: '00000000-0000-4000-8000-000000000002', name: 'North-Clinic' } as const

export const southClinic = { id: '00000000-0000-4000-8000-000000000003', name: 'South-Clinic' } as const

export const westClinic = { id: '00000000-0000-4000-8000-000000000004', name: 'West-Clinic' } as const

export const provider = { id: providerOrganizationId, name: 'Provider' } as const
