// Stands for what the federation runtime has for manifests and for asking ahead by them (`LeanRuntimePlugin.ts`). The
// page's snapshot names what there is, and the host asks ahead by itself.
export class SnapshotHandler {
  manifestCache = new Map()
  hooks = { applyPlugin() {}, lifecycle: {} }
  async loadRemoteSnapshotInfo() {
    return {}
  }
}
export const getGlobalRemoteInfo = () => ({})

export const formatPreloadArgs = () => []
export const preloadAssets = () => []
export const defaultPreloadArgs = (args) => args
export const normalizePreloadExposes = () => []
