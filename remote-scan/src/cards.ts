export { NewestScansCard } from './dashboard/NewestScansCard.tsx'
export { StorageCard } from './dashboard/StorageCard.tsx'
