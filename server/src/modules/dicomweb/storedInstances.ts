import { sql, type RawBuilder } from 'kysely'
import { readingLimits } from '../../dicom/limits.ts'
import { openHeader, toCommonHeader, type CommonColumns, type CommonHeader } from '../scan/intake/sealedHeaders.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notFound } from '../../core/errors.ts'
import { retrieveUrl } from './retrieveUrl.ts'
import type { ReadScope, UidPath } from './scope.ts'

/** A stored instance, as WADO-RS needs it. */
export interface StoredInstance {
  readonly organization_id: string
  readonly study_uid: string
  readonly series_uid: string
  readonly sop_instance_uid: string
  readonly sop_class_uid: string
  readonly transfer_syntax_uid: string
  readonly object_key: string
  readonly images: number
  readonly sha256: string
  /** Packed. */
  readonly header: Uint8Array
  readonly key_id: string | null
}

/** Where it is retrieved, within the reach of who asks. */
export const instanceUrl = (scope: Pick<ReadScope, 'origin' | 'root'>, instance: StoredInstance): string =>
  retrieveUrl(scope, {
    study: instance.study_uid,
    series: instance.series_uid,
    instance: instance.sop_instance_uid,
  })

/** Instances per query, or fewer of long headers: a study of any size is read in constant memory. */
const pageSize = 200

interface InstancePosition {
  readonly series_uid: string
  readonly instance_number: number
  readonly sop_instance_uid: string
}

const isAfter = (position: InstancePosition): RawBuilder<unknown> =>
  sql`and (series_uid, instance_number, sop_instance_uid)
    > (${position.series_uid}, ${position.instance_number}, ${position.sop_instance_uid})`

/** Of rows that have these UIDs: none of another organization, launch or share link. */
export const isWithinReach = (scope: ReadScope, path: UidPath): RawBuilder<boolean> =>
  sql<boolean>`organization_id = ${scope.store.organizationId}
    ${path.study === undefined ? sql`` : sql`and study_uid = ${path.study}`}
    ${path.series === undefined ? sql`` : sql`and series_uid = ${path.series}`}
    ${path.instance === undefined ? sql`` : sql`and sop_instance_uid = ${path.instance}`}
    ${scope.series ? sql`and series_uid = any(${[...scope.series]}::text[])` : sql``}`

/**
 * Iterates over the instances of a study, of a series, or a single one, in the order of their numbers; never those of
 * another organization, launch or share link, nor what was deleted meanwhile.
 */
export async function* iterateInstances(
  deps: Dependencies,
  scope: ReadScope,
  path: UidPath,
): AsyncGenerator<StoredInstance> {
  const { organizationId } = scope.store
  let lastInstance: InstancePosition | undefined
  for (;;) {
    const deletions = deps.deletions.countOf(organizationId)
    const rows = await loadPage(deps, scope, path, lastInstance)
    let common: CommonHeader | undefined
    let isOutdated = false
    for (const { common: ownCommon, common_key_id, ...row } of rows) {
      const isOfLast = row.series_uid === lastInstance?.series_uid
      common = toCommonHeader({ common: ownCommon, common_key_id }) ?? (isOfLast ? common : undefined)
      const ids = { organizationId, seriesUID: row.series_uid, sopInstanceUID: row.sop_instance_uid }
      yield { ...row, header: await openHeader(deps.encryption, ids, row, common) }
      lastInstance = row
      // Whoever takes them slowly has the rest of the page for hours.
      isOutdated = deps.deletions.countOf(organizationId) !== deletions
      if (isOutdated) break
    }
    if (isOutdated) continue
    const pageRows = rows[0]?.page_rows ?? 0
    if (pageRows < pageSize && rows.length === pageRows) return
  }
}

interface PageRow extends StoredInstance, CommonColumns {
  readonly instance_number: number
  readonly page_rows: number
}

/** What the headers of a series have in common comes with the first row that it has on the page. */
async function loadPage(
  { db }: Dependencies,
  scope: ReadScope,
  path: UidPath,
  lastInstance: InstancePosition | undefined,
): Promise<readonly PageRow[]> {
  const { rows } = await sql<PageRow>`
    select counted.*, c.common, c.key_id as common_key_id from (
      select page.*, count(*) over () ::int as page_rows,
        sum(octet_length(header)) over (order by series_uid, instance_number, sop_instance_uid) as bytes,
        row_number() over (partition by series_uid order by instance_number, sop_instance_uid) as nth_of_series
      from (
        select organization_id, study_uid, series_uid, sop_instance_uid, sop_class_uid, transfer_syntax_uid,
          object_key, images, sha256, header, key_id, instance_number
        from instances
        where ${isWithinReach(scope, path)}
        ${lastInstance ? isAfter(lastInstance) : sql``}
        order by series_uid, instance_number, sop_instance_uid limit ${pageSize}
      ) page
    ) counted
    left join series_headers c on counted.nth_of_series = 1 and c.organization_id = counted.organization_id
      and c.series_uid = counted.series_uid
    where bytes - octet_length(header) < ${readingLimits.headerPageBytes}
    order by counted.series_uid, instance_number, sop_instance_uid`.execute(db)
  return rows
}

/** The same, but 404 when there are none: the first is read before the response begins. */
export async function listInstances(
  deps: Dependencies,
  scope: ReadScope,
  path: UidPath,
): Promise<AsyncGenerator<StoredInstance>> {
  const instances = iterateInstances(deps, scope, path)
  const first = await instances.next()
  if (first.done) throw notFound()
  return (async function* () {
    yield first.value
    yield* instances
  })()
}

/** One instance, within the wall, the launch and the share link that `scope` and `path` were judged by. */
export async function getInstance(deps: Dependencies, scope: ReadScope, path: UidPath): Promise<StoredInstance> {
  const key = `instance ${JSON.stringify([scope.store.organizationId, path.study, path.series, path.instance])}`
  return deps.recent.find(key, async () => {
    for await (const instance of iterateInstances(deps, scope, path)) return instance
    throw notFound()
  })
}

/** Whether a path has an instance within the wall, the launch and the share link. */
export async function hasInstances({ db }: Dependencies, scope: ReadScope, path: UidPath): Promise<boolean> {
  const { rows } = await sql`select from instances where ${isWithinReach(scope, path)} limit 1`.execute(db)
  return rows.length > 0
}

/** What the instances of a path are stored in, and a text that changes with any of them. */
export async function summarize(
  deps: Dependencies,
  scope: ReadScope,
  path: UidPath,
): Promise<{ readonly transferSyntaxUIDs: readonly string[]; readonly fingerprint: string }> {
  const { rows } = await sql<{ syntaxes: string[] | null; fingerprint: string | null }>`
    select array_agg(distinct transfer_syntax_uid) as syntaxes,
      md5(string_agg(sop_instance_uid || sha256, ',' order by sop_instance_uid)) as fingerprint
    from instances where ${isWithinReach(scope, path)}`.execute(deps.db)
  const [row] = rows
  if (!row?.syntaxes) throw notFound()
  return { transferSyntaxUIDs: row.syntaxes, fingerprint: row.fingerprint ?? '' }
}
