import { tag } from '@dmp/dicom'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import type { JsonElement } from '../../dicom/jsonModel.ts'
import { readingLimits } from '../../dicom/limits.ts'
import { Refusal } from '../../core/errors.ts'
import { FairTurns } from '../../core/fairTurns.ts'
import type { Db } from '../../db/client.ts'
import { dicomSearch } from '../../db/replicaCalls.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { RecordAccess } from '../scan/reading/accessAudit.ts'
import { parseQuery, toConditions, type QidoQuery } from './qidoQuery.ts'
import type { QueryLevel } from './queryKeys.ts'
import { retrieveUrl } from './retrieveUrl.ts'
import type { Service } from './dicomwebServices.ts'
import { chooseType } from './acceptedTypes.ts'
import { writeSearchRows, type SearchResult } from './headerPages.ts'
import { sendStream, startStream } from './sendStream.ts'
import { parseUidPath, type ReadScope, type UidPath } from './scope.ts'
import { getReadScope } from './sharedScope.ts'

/** QIDO-RS (PS3.18 section 10.6): search for studies, series and instances. */

const element = (vr: string, ...values: (string | number)[]): JsonElement => ({ vr, Value: values })
/** Of the series that the request may see. */
const withinScope = (scope: ReadScope): RawBuilder<unknown> =>
  scope.series ? sql`and s.series_uid = any(${[...scope.series]}::text[])` : sql``

/** Tenant, path, launch or share link, and keys as one condition. */
function toScopeCondition(
  table: string,
  scope: ReadScope,
  path: UidPath,
  keys: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> {
  const conditions = [sql`${sql.raw(table)}.organization_id = ${scope.store.organizationId}`, ...keys]
  if (scope.studies) conditions.push(sql`${sql.raw(table)}.study_uid = any(${[...scope.studies]}::text[])`)
  if (scope.series && table !== 'studies')
    conditions.push(sql`${sql.raw(table)}.series_uid = any(${[...scope.series]}::text[])`)
  if (path.study !== undefined) conditions.push(sql`${sql.raw(table)}.study_uid = ${path.study}`)
  if (path.series !== undefined) conditions.push(sql`${sql.raw(table)}.series_uid = ${path.series}`)
  return sql.join(conditions, sql` and `)
}

async function findStudies(db: Db, scope: ReadScope, path: UidPath, query: QidoQuery): Promise<SearchResult> {
  const where = toConditions(query, 'studies', scope)
  const firstSeries = sql`i.organization_id = page.organization_id and i.series_uid = counts.first_series`
  const { rows } = await sql<{
    study_uid: string
    modalities: string[]
    series: number
    instances: number
    representative: string | null
  }>`
    select page.*, counts.*, ${selectRepresentative(query, firstSeries)} as representative
    from (select organization_id, study_uid, study_date from studies
          where ${toScopeCondition('studies', scope, path, where)}
          order by study_date desc, study_uid desc limit ${query.limit} offset ${query.offset}) page
    cross join lateral (select array_agg(distinct modality) as modalities, count(*)::int as series,
          coalesce(sum(instances), 0)::int as instances, min(series_uid) as first_series
          from series s where s.organization_id = page.organization_id and s.study_uid = page.study_uid
          ${withinScope(scope)}) counts
    order by page.study_date desc, page.study_uid desc`.execute(db)
  const found = rows.map((row) => ({
    uid: row.study_uid,
    extras: {
      [tag.InstanceAvailability]: element('CS', 'ONLINE'),
      [tag.ModalitiesInStudy]: element('CS', ...(row.modalities ?? [])),
      [tag.RetrieveURL]: element('UR', retrieveUrl(scope, { study: row.study_uid })),
      [tag.NumberOfStudyRelatedSeries]: element('IS', row.series),
      [tag.NumberOfStudyRelatedInstances]: element('IS', row.instances),
    },
    instanceUID: row.representative,
  }))
  const attributes = (uids: RawBuilder<unknown>) => sql`select study_uid as uid, attributes::text as attributes
    from studies where organization_id = ${scope.store.organizationId} and study_uid = any(${uids})`
  return { rows: found, attributes, tags: query.includes }
}

/** What the times of a series mean, which rows keep with their study. */
const zone = sql`jsonb_strip_nulls(jsonb_build_object(${tag.TimezoneOffsetFromUTC}::text,
  studies.attributes -> ${tag.TimezoneOffsetFromUTC}::text))`

async function findSeries(db: Db, scope: ReadScope, path: UidPath, query: QidoQuery): Promise<SearchResult> {
  const where = toConditions(query, 'series', scope)
  const sameSeries = sql`i.organization_id = page.organization_id and i.series_uid = page.series_uid`
  const { rows } = await sql<{
    study_uid: string
    series_uid: string
    instances: number
    representative: string | null
  }>`
    select page.*, ${selectRepresentative(query, sameSeries)} as representative
    from (select series.organization_id, series.study_uid, series.series_uid, series.instances
          from series join studies
            on studies.organization_id = series.organization_id and studies.study_uid = series.study_uid
          where ${toScopeCondition('series', scope, path, where)}
          order by series.acq_date desc, series.series_uid desc
          limit ${query.limit} offset ${query.offset}) page`.execute(db)
  const found = rows.map((row) => ({
    uid: row.series_uid,
    extras: {
      [tag.StudyInstanceUID]: element('UI', row.study_uid),
      [tag.InstanceAvailability]: element('CS', 'ONLINE'),
      [tag.RetrieveURL]: element('UR', retrieveUrl(scope, { study: row.study_uid, series: row.series_uid })),
      [tag.NumberOfSeriesRelatedInstances]: element('IS', row.instances),
    },
    instanceUID: row.representative,
  }))
  // A search across studies returns the study's own attributes, too.
  const ofStudy = path.study === undefined ? sql`studies.attributes` : zone
  const attributes = (uids: RawBuilder<unknown>) => sql`
    select series_uid as uid, (${ofStudy} || series.attributes)::text as attributes
    from series join studies
      on studies.organization_id = series.organization_id and studies.study_uid = series.study_uid
    where series.organization_id = ${scope.store.organizationId} and series_uid = any(${uids})`
  return { rows: found, attributes, tags: query.includes }
}

const instanceTags = [
  tag.TimezoneOffsetFromUTC,
  tag.SOPClassUID,
  tag.SOPInstanceUID,
  tag.InstanceAvailability,
  tag.InstanceNumber,
  tag.NumberOfFrames,
  tag.Rows,
  tag.Columns,
  tag.BitsAllocated,
]

async function findInstances(db: Db, scope: ReadScope, path: UidPath, query: QidoQuery): Promise<SearchResult> {
  const where = toConditions(query, 'instances', scope)
  const { rows } = await sql<{
    study_uid: string
    series_uid: string
    sop_instance_uid: string
    transfer_syntax_uid: string
    modality: string
  }>`
    select instances.study_uid, instances.series_uid, instances.sop_instance_uid, instances.transfer_syntax_uid,
      series.modality
    from instances
    join series on series.organization_id = instances.organization_id and series.series_uid = instances.series_uid
    join studies on studies.organization_id = instances.organization_id and studies.study_uid = instances.study_uid
    where ${toScopeCondition('instances', scope, path, where)}
    order by instances.series_uid, instances.instance_number, instances.sop_instance_uid
    limit ${query.limit} offset ${query.offset}`.execute(db)
  const found = rows.map((row) => ({
    uid: null,
    extras: {
      [tag.StudyInstanceUID]: element('UI', row.study_uid),
      [tag.SeriesInstanceUID]: element('UI', row.series_uid),
      [tag.InstanceAvailability]: element('CS', 'ONLINE'),
      [tag.Modality]: element('CS', row.modality),
      [tag.AvailableTransferSyntaxUID]: element('UI', row.transfer_syntax_uid),
      [tag.RetrieveURL]: element(
        'UR',
        retrieveUrl(scope, { study: row.study_uid, series: row.series_uid, instance: row.sop_instance_uid }),
      ),
    },
    instanceUID: row.sop_instance_uid,
  }))
  return { rows: found, tags: [...instanceTags, ...query.includes] }
}

/** A representative instance, whose header is read only when the request includes more than the index holds. */
function selectRepresentative(query: QidoQuery, where: RawBuilder<unknown>): RawBuilder<unknown> {
  if (query.includes.length === 0) return sql`null::text`
  return sql`(select sop_instance_uid from instances i where ${where}
    order by i.instance_number, i.sop_instance_uid limit 1)`
}

/** What a search finds, by the level that is asked about. */
export const finders = { studies: findStudies, series: findSeries, instances: findInstances }

/**
 * One at a time of each person, or of each browser that opened a share link, until its first rows are written; further
 * ones wait. What goes on then holds memory and takes turns as other answers do: somebody who opens several before
 * reading the first would wait for it for ever.
 */
export const createSearchLine = (): FairTurns =>
  new FairTurns({
    atOnce: Infinity,
    perCustomer: Infinity,
    perPerson: 1,
    waitingPerPerson: readingLimits.waitingSearches,
  })

export function searchHandler(
  deps: Dependencies,
  recordAccess: RecordAccess,
  searches: FairTurns,
  { level, answers }: Pick<Service, 'answers'> & { level: QueryLevel },
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const scope = await getReadScope(deps, request, 'List')
    // Without a study in the path, the scope's own condition on studies replaces it.
    const path = (request.params as UidPath).study === undefined ? {} : parseUidPath(request, scope)
    const { type } = chooseType(request, answers)
    const query = parseQuery(request.query as Record<string, unknown>)
    // A share link has no person whose changes are counted.
    const reading = await deps.replicas.begin(
      dicomSearch,
      scope.context.viewer ?? undefined,
      scope.store.organizationId,
    )
    await recordAccess(scope.context, {
      event: 'ScansQueried',
      organizationId: scope.store.organizationId,
      subject: { level, keys: [...query.keys.keys()], offset: query.offset, ...path, ...scope.about },
    })
    const found = await searches.run({ customer: scope.turn.customer, person: scope.reader }, async () => {
      if (reply.raw.destroyed) throw new Refusal(400, 'INVALID', 'The line was closed before the search began.')
      const reservation = await deps.memory.reserve(scope.turn, readingLimits.headersBytes)
      try {
        const result = await reading((db) => finders[level](db, scope, path, query))
        const rows = writeSearchRows({ ...deps, reading }, scope.store.organizationId, scope.turn, result, reservation)
        return { reservation, rows: result.rows.length, stream: await startStream(rows) }
      } catch (cause) {
        reservation.release()
        throw cause
      }
    })
    if (query.limit > 0 && found.rows === query.limit)
      void reply.header('warning', '299 dmp "There may be more results; continue with offset."')
    return sendStream(reply.type(type), found.stream, found.reservation)
  }
}
