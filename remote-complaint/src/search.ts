export { searchComplaints } from './shared/searchComplaints.ts'
