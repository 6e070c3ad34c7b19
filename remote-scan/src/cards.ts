export { ConflictsCard } from './dashboard/ConflictsCard.tsx'
export { HeldCard } from './dashboard/HeldCard.tsx'
export { NewestScansCard } from './dashboard/NewestScansCard.tsx'
export { StorageCard } from './dashboard/StorageCard.tsx'
