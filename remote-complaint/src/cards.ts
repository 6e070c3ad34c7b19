export { OpenComplaintsCard } from './dashboard/OpenComplaintsCard.tsx'
export { ComplaintAgesCard } from './dashboard/ComplaintAgesCard.tsx'
