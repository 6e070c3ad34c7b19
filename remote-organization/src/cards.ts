export { FirstStepsCard } from './dashboard/FirstStepsCard.tsx'
