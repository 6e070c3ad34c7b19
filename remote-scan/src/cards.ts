export { ConflictsCard } from './dashboard/ConflictsCard.tsx'
export { NewestScansCard } from './dashboard/NewestScansCard.tsx'
export { StorageCard } from './dashboard/StorageCard.tsx'
