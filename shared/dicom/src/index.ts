export { Charset, UnknownCharacterSet } from './charset.ts'
export { toComment } from './comment.ts'
export { firstValue, listItems, type JsonDataset, type JsonElement } from './dataset.ts'
export { insertElements, stringifyDataset } from './datasetText.ts'
export { readFileSeries, type FileSeries, type ParsedHeader, type ParseHeader } from './fileSeries.ts'
export { formatDate, formatPersonName } from './readable.ts'
export {
  duplicateWarning,
  failureReason,
  readStoreResponse,
  writeStoreResponse,
  type InstanceIdentity,
  type NumberedOutcome,
  type RefusedOutcome,
  type StoredOutcome,
  type StoreOutcome,
} from './storeResponse.ts'
export {
  formatTag,
  fromParserKey,
  fromTagNumber,
  isPrivateTag,
  toParserKey,
  toTagNumber,
  type Tag,
} from './tagFormats.ts'
export * as tag from './tags.ts'
export { dicomRoot, isUid, maxUidLength, sopClass, transferSyntax } from './uids.ts'
export { hasLongLength, hasShortLength, isValueRepresentation } from './valueRepresentations.ts'
