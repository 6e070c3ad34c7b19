export { searchPeople } from './shared/searchPeople.ts'
