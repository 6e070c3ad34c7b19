import type { Viewer } from '../../../core/context.ts'
import type { Db, Source } from '../../../db/client.ts'

/** The person who answers for what a viewer does: the viewer, or the owner of the machine. */
export const toPersonId = ({ userId, ownerId }: Viewer): string => ownerId ?? userId

/** The address of that person; undefined for somebody who left. */
export async function toPersonAddress(db: Db, viewer: Viewer): Promise<string | undefined> {
  if (viewer.ownerId === undefined) return viewer.email.toLowerCase()
  const row = await db.selectFrom('users').select('email').where('id', '=', viewer.ownerId).executeTakeFirst()
  return row?.email.toLowerCase()
}

/** How the history names whoever moves something: a person by their address, a machine by its name and its owner's. */
export async function toAuthorName(db: Db, viewer: Viewer): Promise<string> {
  const { ownerId, email, fullName } = viewer
  if (ownerId === undefined) return email
  return `${fullName} (API token of ${(await toPersonAddress(db, viewer)) ?? 'somebody who left'})`
}

export interface Publication {
  readonly part: string
  readonly releaseId: string
  readonly personId: string
  readonly publisher: string
  readonly commit: string
}

/** Notes who brought a release; once for each person. */
export async function notePublication(
  db: Source,
  { part, releaseId, personId, publisher, commit }: Publication,
): Promise<void> {
  await db
    .insertInto('release_publications')
    .values({ part, release_id: releaseId, person_id: personId, publisher, commit })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether this person brought the release, and nobody else did. */
export async function isOnlyPublisher(db: Db, part: string, releaseId: string, personId: string): Promise<boolean> {
  const rows = await db
    .selectFrom('release_publications')
    .select('person_id')
    .where('part', '=', part)
    .where('release_id', '=', releaseId)
    .execute()
  return rows.length > 0 && rows.every(({ person_id: publisher }) => publisher === personId)
}
