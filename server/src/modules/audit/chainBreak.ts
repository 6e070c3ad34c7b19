/** How a chain can be broken. */
export type BreakKind =
  | 'altered'
  | 'missing'
  | 'unlinked'
  | 'unkeyed'
  | 'unknown key'
  | 'newest deleted'
  | 'chain deleted'
  | 'rewritten'
  | 'foreign head'
  | 'foreign memory'

export interface ChainBreak {
  readonly chain: string
  readonly kind: BreakKind
  /** The record at which the chain breaks. */
  readonly position: number
  /** The last missing record, the name of the key, or the time and place of the head that says so. */
  readonly upTo?: number
  readonly keyId?: string
  readonly headAt?: string
  readonly source?: string
}

/** What happened, in one sentence. `owner` is the organization, or the platform. */
export function describeBreak({ kind, position, upTo, keyId = '', headAt = '', source = '' }: ChainBreak): string {
  const record = `Record ${position}`
  switch (kind) {
    case 'altered':
      return `${record} was changed after it was written, or was not written by this platform.`
    case 'missing':
      return upTo === position ? `${record} is missing.` : `Records ${position} to ${upTo} are missing.`
    case 'unlinked':
      return `${record} does not follow the record before it: one of the two was replaced.`
    case 'unkeyed':
      return `${record} has no key although it is younger than the keys: a server of an earlier version wrote it, or somebody with access to the database.`
    case 'unknown key':
      return `${record} was made with the key ${keyId}, which this server does not have.`
    case 'newest deleted':
      return `The newest records were deleted: the chain had ${upTo} records on ${headAt}, and record ${position} is no longer there.`
    case 'chain deleted':
      return `The whole chain was deleted: it had ${upTo} records on ${headAt}.`
    case 'rewritten':
      return `${record} is not the one that was there on ${headAt}: the chain was written anew.`
    case 'foreign head':
      return `A head of record ${position} in ${source} was not written by this platform, or was changed.`
    case 'foreign memory':
      return 'The file audit-keyed.json in the data folder was not written by this platform, or was changed, or was made with a key that this server does not have.'
  }
}

const keep =
  'Do not change the database, keep the log and the files of heads, and inform the person responsible for security.'

/** What to do about it. */
export function adviseOn({ kind }: ChainBreak): string {
  if (kind === 'unknown key')
    return `Add the earlier secret to DMP_AUDIT_KEYS and check again. If there is none: ${keep}`
  if (kind === 'foreign memory')
    return `Add the earlier secret to DMP_AUDIT_KEYS, or put the file back from a copy, and check again. If there is none: ${keep}`
  if (kind === 'unkeyed')
    return `If the database was restored from a backup of before the keys, move audit-keyed.json out of the data folder and restart the server. Otherwise: ${keep}`
  if (kind === 'newest deleted' || kind === 'chain deleted' || kind === 'rewritten')
    return `If the database was restored from a backup, this is expected for what came after the backup. Otherwise: ${keep}`
  return keep
}
