export { searchAlerts } from './alerts/searchAlerts.ts'
