import { rememberKeys } from '@dmp/release/signing/releaseKeys'
import type { Dependencies } from '../../dependencies.ts'

/**
 * Keeps in the database how far the release keys of each part were seen. Whoever may write to the release store alone
 * cannot make a part one without keys, by removing them and waiting for a restart (P43).
 */
export async function keepKeyMemory({
  db,
  releases,
  background,
}: Pick<Dependencies, 'db' | 'releases' | 'background'>): Promise<void> {
  const rows = await db.selectFrom('seen_release_keys').select(['part', 'changes', 'head']).execute()
  const seen = new Map(rows.map(({ part, changes, head }) => [part, { count: changes, head }]))
  rememberKeys(releases, seen, (part, { count, head }) =>
    background(
      db
        .insertInto('seen_release_keys')
        .values({ part, changes: count, head })
        .onConflict((conflict) =>
          conflict
            .column('part')
            .doUpdateSet({ changes: count, head })
            // Another server may have seen more.
            .where('seen_release_keys.changes', '<', count),
        )
        .execute(),
    ),
  )
}
