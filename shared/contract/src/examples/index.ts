/**
 * Examples that are valid by schema (a test proves it): `aComplaint({ currentStatus: 'Resolved' })`.
 * They feed tests and the demo seed; every call returns a fresh object.
 */
export * from './account.ts'
export * from './apiToken.ts'
export * from './audit.ts'
export * from './changes.ts'
export * from './complaint.ts'
export * from './dicomPartner.ts'
export * from './ids.ts'
export * from './inbox.ts'
export * from './lookups.ts'
export * from './organization.ts'
export * from './registration.ts'
export * from './scan.ts'
export * from './settings.ts'
export * from './station.ts'
export * from './users.ts'
export * from './webhook.ts'
