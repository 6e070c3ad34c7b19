export { searchOrganizations } from './shared/searchOrganizations.ts'
