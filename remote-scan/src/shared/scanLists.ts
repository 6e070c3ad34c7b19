import { scan } from '@dmp/contract'

/** What shows scans: called again after one was added or deleted. */
export const scanLists = [
  scan.list,
  scan.listStudies,
  scan.getStudyKinds,
  scan.getStorage,
  scan.listConflicts,
  scan.listBin,
] as const
