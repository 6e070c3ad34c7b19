export { activate, rollback } from './activate.ts'
export { canarySteps, receivesCanary, promoteCanary, startCanary, stopCanary, type Person } from './canary.ts'
export { findIncompatibilities, type Incompatibility } from './preflight/compatibility.ts'
export {
  move,
  listReleaseRefs,
  ReleaseRefused,
  checkCompatibility,
  replaceReleases,
  applyCanaries,
  type Author,
} from './move.ts'
export { compose, composeSnapshot, getIntegrity, releaseUrl, type Composition } from './composition.ts'
export { toIntegrity, publish, type PublishOptions } from './publish.ts'
export { publishAll, publishParts, sourceCommit } from './publishAll.ts'
export { endKeeping, findKept, keepRelease } from './kept.ts'
export { findCanaryStart, findActivation } from './moveHistory.ts'
export {
  hasRelease,
  readRegistry,
  readRelease,
  readSnapshot,
  RegistryConflict,
  registryVersion,
  releaseKey,
  listReleases,
  snapshotId,
  StoreError,
  Superseded,
  swapRegistry,
  type ReleaseStore,
} from './store/ReleaseStore.ts'
export { openFolderStore, type FolderStore } from './store/folderStore.ts'
export { toBucketAccess, isBucketAddress, openStore } from './store/openStore.ts'
export { createCachedStore } from './store/cachedStore.ts'
export { besideRelease, createProvenance, type Provenance } from './provenance.ts'
