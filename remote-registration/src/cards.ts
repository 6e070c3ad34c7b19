export { PendingRegistrationsCard } from './dashboard/PendingRegistrationsCard.tsx'
export { RegistrationAgesCard } from './dashboard/RegistrationAgesCard.tsx'
