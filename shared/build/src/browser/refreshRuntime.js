// One React Refresh runtime for the whole page, the host's: React tells only the first one about its trees. Each part
// brings this module in its place and names its components by its own name, because all parts have a `src/App.tsx`.
import own from 'react-refresh'

const runtime = (globalThis.__dmpRefreshRuntime ??= own)
const isFirst = runtime === own

export const {
  collectCustomHooksForSignature,
  createSignatureFunctionForTransform,
  getFamilyByID,
  getFamilyByType,
  hasUnrecoverableErrors,
  isLikelyComponentType,
  performReactRefresh,
  setSignature,
} = runtime

export const injectIntoGlobalHook = (page) => isFirst && runtime.injectIntoGlobalHook(page)
export const register = (type, id) => runtime.register(type, `${__react_refresh_library__} ${id}`)
