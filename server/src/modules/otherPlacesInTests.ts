import { scan } from '@dmp/contract'
import { sql } from 'kysely'
import { dicomFile, slice, text } from '../dicom/testing/dicomFile.ts'
import { startServerWithDoors, type Door } from '../testing/doors.ts'
import type { SignedIn, TestServer } from '../testing/server.ts'
import { stow } from '../testing/stow.ts'

/** What a customer owns; `patient` stands in every answer that shows it. */
export interface Customer {
  readonly who: SignedIn
  readonly organizationId: string
  readonly patient: string
  readonly study: string
  readonly series: string
  readonly instance: string
  readonly imageSetID: string
  /** Path of a download that nobody has opened, and token of a share link. */
  readonly download: string
  readonly share: string
}

/** Its administrator stores a study of one image, hands out a download, and shares it. */
export async function settle(server: TestServer, email: string, study: string, patient: string): Promise<Customer> {
  const who = await server.signIn(email)
  const [series, instance] = [`${study}.1`, `${study}.1.1`]
  const uids = { '00080018': text('UI', instance), '0020000D': text('UI', study), '0020000E': text('UI', series) }
  const elements = slice({ ...uids, '00100010': text('PN', patient), '00100020': text('LO', patient) })
  expect((await stow(server, who, [dicomFile({ elements })])).statusCode).toBe(200)
  const row = await server.deps.db
    .selectFrom('series')
    .select(['organization_id', 'image_set_id'])
    .where('series_uid', '=', series)
    // Another organization may have the same.
    .orderBy('created_date', 'desc')
    .executeTakeFirstOrThrow()
  const named = { organizationId: row.organization_id, seriesUID: series }
  const { data: link } = await who.call(scan.download, named)
  const { data: shared } = await who.call(scan.share, { ...named, expireInDay: 1 })
  return {
    who,
    organizationId: row.organization_id,
    patient,
    study,
    series,
    instance,
    imageSetID: row.image_set_id,
    download: new URL(link.downloadUrl).pathname,
    share: shared.downloadUrl.split('/').at(-1) ?? '',
  }
}

/** Two customers with the same kinds of things: South asks, North must not notice. */
export async function startWithCustomers(variables: Readonly<Record<string, string>> = {}): Promise<{
  server: TestServer
  doors: readonly Door[]
  south: Customer
  north: Customer
}> {
  // Nothing happens by itself to what is compared in the end, however long the tests take.
  const { server, doors } = await startServerWithDoors({ DMP_QUIET_SECONDS: '86400', ...variables })
  // Answers are searched for these: no time (…:21.724Z) and no id may contain them by chance.
  const south = await settle(server, 'admin@south.example', '1.2.71', 'Ownname')
  const north = await settle(server, 'admin@north.example', '1.2.72', 'Foreignname')
  return { server, doors, south, north }
}

/**
 * A fingerprint of every row of every table that belongs to the organization, its audit chain included, or that names
 * what it has where a table knows no organizations; but not of the thumbnails, which the server draws by itself a while
 * after an upload, nor of how far it has looked for alerts, nor of when a session was used.
 */
export async function fingerprint(
  { deps }: TestServer,
  organizationId: string,
  things: readonly string[] = [],
): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string; isOwned: boolean }>`
    select table_name as name, bool_or(column_name = 'organization_id') as "isOwned"
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('thumbnails', 'alert_cursors')
    group by 1 order by 1`.execute(deps.db)
  const named = sql`exists (select from unnest(${[...things]}::text[]) thing where position(thing in t::text) > 0)`
  const prints = tables.map(({ name, isOwned }) => {
    const isTheirs = isOwned ? sql`organization_id::text = ${organizationId}` : named
    const row = name === 'sessions' ? sql`(to_jsonb(t) - '{last_seen_date,active_date}'::text[])::text` : sql`t::text`
    const hash = sql`md5(string_agg(${row}, ' ' order by ${row}))`
    return sql`select ${sql.lit(name)} as name, count(*) || ' ' || ${hash} as print
      from ${sql.table(name)} t where ${isTheirs}`
  })
  const { rows } = await sql<{ name: string; print: string | null }>`${sql.join(prints, sql` union all `)}`.execute(
    deps.db,
  )
  return Object.fromEntries(rows.map(({ name, print }) => [name, print ?? 'none']))
}

/** Headers by which some programs choose another method, address, host or owner than the request line says. */
export const overridingHeaders = (method: string, path: string, organizationId: string): Record<string, string>[] => [
  ...['x-http-method-override', 'x-http-method', 'x-method-override'].map((name) => ({ [name]: method })),
  ...['x-original-url', 'x-rewrite-url', 'x-forwarded-path', 'x-forwarded-prefix', 'content-location'].map((name) => ({
    [name]: path,
  })),
  { 'x-organization-id': organizationId, 'x-tenant-id': organizationId, 'x-user-id': organizationId },
  { cookie: `organizationId=${organizationId}; sessionId=${organizationId}` },
]
