export { askForGuest, call } from './api/call.ts'
export { passRequestsTo, type Asked, type Pass } from './transport/passage.ts'
export { CallError, type FieldError } from './transport/CallError.ts'
export { DataProvider } from './api/DataProvider.tsx'
export { onForbidden } from './api/forbidden.ts'
export { forgetFailures, isAsking, refresh, refreshIfChanged, updateCache } from './transport/queryClient.ts'
export { isTemporary } from './transport/failures.ts'
/** @deprecated since 1.2: `isTemporary`. Released remotes call it at run time. */
export { isTemporary as isPassing } from './transport/failures.ts'
export { reportError } from './api/reportError.ts'
export { exchange, type Exchange } from './api/exchange.ts'
/** @deprecated since 1.2: `tus-js-client` with `exchange`. Released remotes call it at run time. */
export { sendResumable, type ResumableOptions } from './api/sendResumable.ts'
export { hasType, sendBytes, toExchangeError, type SendAnswer, type SendOptions } from './api/sendBytes.ts'
export type { ExchangeAnswer } from './transport/requestWithProgress.ts'
export { useAct, type Act } from './api/useAct.ts'
export { useData } from './api/useData.ts'
export { useLookup, type Lookup } from './api/useLookup.ts'
export { saveDocument } from './api/saveDocument.ts'
export { usePicture } from './api/usePicture.ts'
export { becomeGuest } from './session/becomeGuest.ts'
export { lastActive, recordActivity } from './session/activity.ts'
export { drafts } from './session/drafts.ts'
export { forSamePerson, lastPerson, onPersonChange } from './session/person.ts'
export { preferences } from './language/preferences.ts'
/** @deprecated since 1.2: `preferences`. Released remotes call it at run time. */
export { preferences as remembered } from './language/preferences.ts'
export { session } from './session/session.ts'
export { followTabs } from './session/tabs.ts'
export { sessionTexts } from './session/texts.ts'
export { msLeft } from './session/tokens.ts'
export type { Idle, Live, SessionState, StoredUser, Tokens } from './session/types.ts'
export { forgetUnsaved, hasUnkept, hasUnsaved, useHasUnsaved, useUnsaved } from './session/unsaved.ts'
export { useCan, useSession, useUser } from './session/useSession.ts'
export { settings } from './settings.ts'
export { toKeyCaps, type KeyCommand } from './keys/KeyCommand.ts'
export { chooseLanguage, onLanguageChosen, reloadInLanguage } from './session/chooseLanguage.ts'
export {
  dataWord,
  personName,
  direction,
  formatBytes,
  formatNumber,
  isLanguage,
  language,
  languages,
  locale,
  showLanguage,
  type Direction,
  type Language,
} from './language/index.ts'
export { contentMark } from './firstContent.ts'
export { onFirstUse } from './onFirstUse.ts'
export { listKeys, runKey } from './keys/keyboard.ts'
export { areKeysOn, writeKeys } from './keys/keySwitch.ts'
export { filterByRank, rank } from './keys/rank.ts'
export { useKeys } from './keys/useKeys.ts'
export type { FoundItem, Search, SearchRequest } from './search.ts'
