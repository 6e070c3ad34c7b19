import { listBin, listOwnDeletions } from './bin.ts'
import { getStorage, list } from './calls.ts'
import { listConflicts } from './conflicts.ts'
import { getStudyKinds, listStudies } from './worklist.ts'

/** The reads that show scans: each is old once a scan was added, deleted or restored. */
export const scanLists = [
  list,
  listStudies,
  getStudyKinds,
  getStorage,
  listConflicts,
  listBin,
  listOwnDeletions,
] as const
