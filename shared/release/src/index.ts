export { activate, rollback } from './activate.ts'
export { canarySteps, gets, promoteCanary, startCanary, stopCanary, type Person } from './canary.ts'
export { refusals, type Refusal } from './compatibility.ts'
export { move, partsOf, Refused, refusalsOf, replaced, withCanaries, type Author } from './move.ts'
export { compose, composeSnapshot, integrityOfFile, releaseUrl, type Composition } from './pageSnapshot.ts'
export { integrityOf, publish, type PublishOptions } from './publish.ts'
export { publishAll, sourceCommit } from './publishAll.ts'
export { canarySince, liveSince } from './since.ts'
export {
  hasRelease,
  readRegistry,
  readRelease,
  readSnapshot,
  RegistryConflict,
  registryVersion,
  releaseKey,
  releasesOf,
  snapshotId,
  StoreError,
  Superseded,
  swapRegistry,
  type Store,
} from './store.ts'
export { openStore, type FolderStore } from './storeFolder.ts'
export { accessOf, isBucket, storeAt } from './storeAt.ts'
export { cachedStore } from './storeCached.ts'
