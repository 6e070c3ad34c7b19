import { audit, businessUser, complaint, organization, registration, scan, type Endpoint } from '@dmp/contract'

/** Searches of DICOMweb (QIDO-RS), which are no calls of the contract. */
export const dicomSearch = 'DICOMweb search'

/**
 * Everything that may be answered from a replica; any other call reads from the server that takes writes, whatever its
 * handler asks for. These list and count what may be a moment old. Who may make the call, which organization is seen,
 * sessions, licences and limits are no part of it: a handler reads them from `deps.db` first.
 */
const calls: ReadonlySet<string> = new Set([
  ...[
    scan.list,
    scan.listStudies,
    scan.countStudies,
    audit.list,
    audit.listActivity,
    complaint.list,
    registration.list,
    organization.list,
    businessUser.list,
  ].map(({ name }) => name),
  dicomSearch,
])

export type ReplicaCall = Pick<Endpoint, 'name'> | typeof dicomSearch

export const isForReplicas = (call: ReplicaCall): boolean => calls.has(typeof call === 'string' ? call : call.name)
