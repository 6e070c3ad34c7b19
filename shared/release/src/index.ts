export { activate, rollback } from './activate.ts'
export { canarySteps, receivesCanary, promoteCanary, startCanary, stopCanary, type Person } from './canary.ts'
export { findIncompatibilities, type Incompatibility } from './preflight/compatibility.ts'
export { move, listReleaseRefs, checkCompatibility, replaceReleases, applyCanaries, type Author } from './move.ts'
export { compose, composeSnapshot, getIntegrity, releaseUrl, type Composition } from './composition.ts'
export { addDrawn, type DrawnDocument } from './drawn/drawnDocument.ts'
export { drawPages } from './drawn/drawPages.ts'
export { mapsLocation } from './maps.ts'
export { publish, type PublishOptions } from './publish.ts'
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
export { ReleaseRefused } from './ReleaseRefused.ts'
export { toIntegrity } from './store/releaseFiles.ts'
export { besideRelease } from './besideRelease.ts'
export { createProvenance } from './provenance.ts'
export type { Provenance } from './signing/statement.ts'
export { readSigner, type Signer } from './signing/keyPair.ts'
export { readTrustedRelease } from './signing/signatures.ts'
export { readSecretVariable } from './secretVariable.ts'
export { openDoor, type Door } from './door/doorClient.ts'
export { findCallsUnansweredBy } from './door/answeredCalls.ts'
