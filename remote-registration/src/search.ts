export { searchRegistrations } from './shared/searchRegistrations.ts'
