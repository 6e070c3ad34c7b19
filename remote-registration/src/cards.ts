export { PendingRegistrationsCard } from './dashboard/PendingRegistrationsCard.tsx'
