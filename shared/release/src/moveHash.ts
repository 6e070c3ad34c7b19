import { createHash } from 'node:crypto'
import type { RegistryMove } from '@dmp/contract/release'

/** What is hashed of a move; the people of a canary are nothing that has to be proven later. */
type Hashed = Omit<RegistryMove, 'canary' | 'change'> & {
  readonly change: string
  readonly canary?: Pick<NonNullable<RegistryMove['canary']>, 'name' | 'releaseId' | 'percent'> | undefined
}

/** The name of a move by all that it says, the hash of the move before included: the history is a chain of these. */
export const hashMove = ({ version, snapshot, change, parts, by, at, reason, canary, previous }: Hashed): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        version,
        snapshot,
        change,
        parts,
        by,
        at,
        reason ?? null,
        canary ? [canary.name, canary.releaseId, canary.percent] : null,
        previous ?? null,
      ]),
    )
    .digest('hex')
