import { permissionsOfScope } from '@dmp/contract/apiToken'
import { permits } from '@dmp/contract/endpoint'
import { toPolicy } from '@dmp/contract/policy'
import type { Release } from '@dmp/contract/release'
import { findPreview, type StoredPreview } from '@dmp/release/previews'
import { readTrustedRelease } from '@dmp/release/signing/signatures'
import { StoreError, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import { sharedNow } from '../../../core/clock.ts'
import type { Viewer } from '../../../core/context.ts'
import type { Db } from '../../../db/client.ts'
import { selectApiTokens } from '../../../identity/apiTokenStatus.ts'

const [needed] = permissionsOfScope.preview

/**
 * A preview that this person may open, with its release. Undefined where there is none, where it ended with its days or
 * with the right of its maker, where its release was altered or is no longer signed as its part asks, and where it is
 * not for them: whoever asks does not learn which.
 */
export async function findPreviewFor(
  { db, store }: { readonly db: Db; readonly store: ReleaseStore },
  viewer: Pick<Viewer, 'role' | 'email' | 'ownerId'>,
  { part, id }: Pick<StoredPreview, 'part' | 'id'>,
): Promise<{ readonly preview: StoredPreview; readonly release: Release } | undefined> {
  const preview = await findPreview(store, part, id, sharedNow())
  if (preview === undefined || !isFor(viewer, preview) || !(await isMakerAllowed(db, preview))) return undefined
  const release = await readTrustedRelease(store, part, preview.releaseId).catch((error: unknown) => {
    if (error instanceof StoreError) return undefined
    throw error
  })
  return release && { preview, release }
}

/** A customer's people are among them only where somebody who makes releases live wrote their very address. */
const isFor = ({ role, email, ownerId }: Pick<Viewer, 'role' | 'email' | 'ownerId'>, { users }: StoredPreview) =>
  ownerId === undefined && (role === 'super_admin' || users.includes(email.toLowerCase()))

/** What the store's own keys made has no maker, and lasts its days. */
async function isMakerAllowed(db: Db, { part, maker }: StoredPreview): Promise<boolean> {
  if (maker === undefined) return true
  if (maker.is === 'person') {
    const person = await db
      .selectFrom('users')
      .innerJoin('organizations', 'organizations.id', 'users.organization_id')
      .select('users.role')
      .where('users.id', '=', maker.id)
      .where('users.status', '=', 'Activated')
      .where('organizations.status', '=', 'Activated')
      .executeTakeFirst()
    return person !== undefined && permits(toPolicy(person.role), needed!)
  }
  const token = await selectApiTokens(db).where('api_tokens.id', '=', maker.id).executeTakeFirst()
  return (
    token?.status === 'Active' &&
    token.scopes.includes('preview') &&
    token.parts.includes(part) &&
    permits(toPolicy(token.owner_role), needed!)
  )
}
