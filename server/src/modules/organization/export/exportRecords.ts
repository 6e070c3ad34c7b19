import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { RecordKind } from './exportFormat.ts'

/** So many rows are in memory at a time; pictures come with complaints. */
const pageSize = { people: 500, complaints: 20, links: 200, audit: 1000, imported: 500 } as const

const iso = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

type Page = { readonly row: object; readonly key: string }

const pages: Readonly<Record<RecordKind, (organizationId: string, after: string) => ReturnType<typeof sql<Page>>>> = {
  people: (id, after) => sql<Page>`
    select id::text as key, json_build_object('email', email, 'civility', civility, 'firstName', first_name,
      'lastName', last_name, 'mobile', mobile, 'landline', landline, 'fax', fax, 'role', role, 'status', status) as row
    from users where organization_id = ${id} and id::text > ${after} order by id::text limit ${pageSize.people}`,

  complaints: (id, after) => sql<Page>`
    select lpad(c.number::text, 10, '0') as key, json_build_object('id', c.id, 'number', c.number,
      'createdBy', c.created_by, 'createdDate', ${iso('c.created_date')}, 'module', c.module, 'type', t.name,
      'severity', v.name, 'status', s.name, 'description', c.description,
      'history', (select coalesce(json_agg(json_build_object('status', hs.name, 'createdBy', h.created_by,
        'comment', h.comment, 'createdDate', ${iso('h.created_date')}) order by h.position), '[]')
        from complaint_history h join complaint_statuses hs on hs.id = h.status_id where h.complaint_id = c.id),
      'messages', (select coalesce(json_agg(json_build_object('createdBy', m.created_by, 'text', m.text,
        'createdDate', ${iso('m.created_date')}) order by m.position), '[]')
        from complaint_messages m where m.complaint_id = c.id),
      'picture', (select json_build_object('filename', i.filename, 'mediaType', i.media_type,
        'base64', replace(encode(i.content, 'base64'), chr(10), ''))
        from complaint_images i where i.complaint_id = c.id)
    ) as row
    from complaints c join complaint_types t on t.id = c.type_id join complaint_severities v on v.id = c.severity_id
      join complaint_statuses s on s.id = c.status_id
    where c.organization_id = ${id} and lpad(c.number::text, 10, '0') > ${after}
    order by c.number limit ${pageSize.complaints}`,

  links: (id, after) => sql<Page>`
    select s.id::text as key, json_build_object('id', s.id, 'createdBy', s.created_by_user,
      'createdDate', ${iso('s.created_date')}, 'expireDate', ${iso('s.expire_date')},
      'revokedDate', ${iso('s.revoked_date')}, 'lastUsedDate', ${iso('s.last_used_date')}, 'uses', s.uses,
      'maxUses', s.max_uses, 'allowsDownload', s.allows_download, 'hasPassword', s.password_hash is not null,
      'recipient', s.recipient, 'seriesUIDs', (select coalesce(json_agg(x.series_uid order by x.series_uid), '[]')
        from shared_series x where x.share_id = s.id)) as row
    from scan_shares s where s.organization_id = ${id} and s.id::text > ${after}
    order by s.id::text limit ${pageSize.links}`,

  audit: (id, after) => sql<Page>`
    select position::text as key, json_build_object('id', id, 'position', position, 'at', ${iso('at')}, 'event', event,
      'outcome', outcome, 'actorId', actor_id, 'subject', subject, 'requestId', request_id, 'address', address,
      'previousHash', previous_hash, 'hash', hash, 'hashVersion', hash_version, 'keyId', key_id) as row
    from audit where chain = ${id} and position > ${after === '' ? -1 : Number(after)}
    order by position limit ${pageSize.audit}`,

  imported: (id, after) => sql<Page>`
    select kind || '/' || source_id as key,
      json_build_object('id', source_id, 'kind', kind, 'content', content) as row
    from imported_records where organization_id = ${id} and (kind || '/' || source_id) collate "C" > ${after}
    order by (kind || '/' || source_id) collate "C" limit ${pageSize.imported}`,
}

/** All rows of an organization, a page at a time. */
export async function* readRecords(
  db: Db,
  kind: RecordKind,
  organizationId: string,
  onRows: (count: number) => void,
  signal: AbortSignal,
): AsyncGenerator<object> {
  let after = ''
  for (;;) {
    signal.throwIfAborted()
    const { rows } = await pages[kind](organizationId, after).execute(db)
    const last = rows.at(-1)
    if (!last) return
    onRows(rows.length)
    for (const { row } of rows) yield row
    after = last.key
  }
}
