export { OpenComplaintsCard } from './dashboard/OpenComplaintsCard.tsx'
