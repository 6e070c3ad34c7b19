/** Scans: entities, the calls of the list and the detail page, saved searches, share links and transfers. */
export * from './calls.ts'
export * from './conflicts.ts'
export * from './entities.ts'
export * from './filters.ts'
export * from './held.ts'
export * from './shares.ts'
export * from './transfers.ts'
export * from './worklist.ts'
