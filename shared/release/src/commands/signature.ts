import type { Trust } from '../signing/signatures.ts'

/** Who signed a release, for pipelines. */
export interface Signature {
  /** `key`; `history`: live before the part had keys; `nobody`: the part has none; `refused`. */
  readonly by: 'key' | 'history' | 'nobody' | 'refused'
  /** The name of the key. */
  readonly key: string | null
  readonly keyId: string | null
  /** Why it is refused, and the cure. */
  readonly problem: string | null
}

export function toSignature(trust: Trust): Signature {
  const nothing = { key: null, keyId: null, problem: null }
  if (trust.by === 'key') return { ...nothing, by: 'key', key: trust.key.name, keyId: trust.key.keyId }
  if (trust.by !== 'nothing') return { ...nothing, by: trust.by }
  return { ...nothing, by: 'refused', problem: `${trust.problem.reason} ${trust.problem.cure}` }
}

const words = { history: 'before its keys', nobody: 'not signed', refused: 'REFUSED' } as const

export const formatSigner = ({ by, key }: Signature): string => (by === 'key' ? (key ?? '') : words[by])
