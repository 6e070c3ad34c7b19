export { searchPatients, searchStudies } from './shared/scanSearches.ts'
