import { tag } from '@dmp/dicom'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import type { JsonDataset, JsonElement } from '../../dicom/jsonModel.ts'
import { readingLimits } from '../../dicom/limits.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { RecordAccess } from '../scan/reading/accessAudit.ts'
import {
  toConditions,
  dateMatch,
  nameMatch,
  parseQuery,
  textMatch,
  uidMatch,
  type Matchers,
  type QidoQuery,
} from './qidoQuery.ts'
import { writeSearchRows, type FoundRow } from './headerPages.ts'
import { sendStream, startStream } from './sendStream.ts'
import { parseUidPath, type ReadScope, type UidPath } from './scope.ts'
import { getReadScope } from './sharedScope.ts'

/** QIDO-RS (PS3.18 section 10.6): search for studies, series and instances. */

/** Of the series that the request may see. */
const withinScope = (scope: ReadScope): RawBuilder<unknown> =>
  scope.series ? sql`and s.series_uid = any(${[...scope.series]}::text[])` : sql``

const studyMatchers = (scope: ReadScope): Matchers => ({
  [tag.StudyInstanceUID]: uidMatch('studies.study_uid'),
  [tag.PatientID]: textMatch('studies.patient_id'),
  [tag.PatientName]: nameMatch('studies.patient_name'),
  [tag.StudyDate]: dateMatch('studies.study_date'),
  [tag.AccessionNumber]: textMatch('studies.accession_number'),
  [tag.StudyDescription]: nameMatch(`coalesce(studies.attributes->'${tag.StudyDescription}'->'Value'->>0, '')`),
  [tag.ModalitiesInStudy]: (value) =>
    sql`exists (select 1 from series s where s.organization_id = studies.organization_id
      and s.study_uid = studies.study_uid and s.modality = any(${value.split(/[,\\]/)}::text[])
      ${withinScope(scope)})`,
})
const seriesMatchers = (scope: ReadScope): Matchers => ({
  ...studyMatchers(scope),
  [tag.SeriesInstanceUID]: uidMatch('series.series_uid'),
  [tag.Modality]: uidMatch('series.modality'),
  [tag.SeriesDescription]: nameMatch('series.description'),
})
const instanceMatchers = (scope: ReadScope): Matchers => ({
  ...seriesMatchers(scope),
  [tag.SOPInstanceUID]: uidMatch('instances.sop_instance_uid'),
  [tag.SOPClassUID]: uidMatch('instances.sop_class_uid'),
  [tag.InstanceNumber]: (value) =>
    /^-?\d{1,9}$/.test(value) ? sql`instances.instance_number = ${Number(value)}` : sql`false`,
})

const element = (vr: string, ...values: (string | number)[]): JsonElement => ({ vr, Value: values })
const retrieveUrl = ({ root }: ReadScope, path: UidPath): string =>
  [
    root,
    path.study && `studies/${path.study}`,
    path.series && `series/${path.series}`,
    path.instance && `instances/${path.instance}`,
  ]
    .filter(Boolean)
    .join('/')

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

interface SearchResult {
  readonly rows: FoundRow[]
  /** Tags to take from the headers. */
  readonly tags: readonly string[]
  readonly unmatched: readonly string[]
}

async function findStudies(
  { db }: Dependencies,
  scope: ReadScope,
  path: UidPath,
  query: QidoQuery,
): Promise<SearchResult> {
  const { where, unmatched } = toConditions(query, studyMatchers(scope))
  const firstSeries = sql`i.organization_id = page.organization_id and i.series_uid = counts.first_series`
  const { rows } = await sql<{
    study_uid: string
    attributes: JsonDataset
    modalities: string[]
    series: number
    instances: number
    representative: string | null
  }>`
    select page.*, counts.*, ${selectRepresentative(query, firstSeries)} as representative
    from (select organization_id, study_uid, attributes, study_date from studies
          where ${toScopeCondition('studies', scope, path, where)}
          order by study_date desc, study_uid desc limit ${query.limit} offset ${query.offset}) page
    cross join lateral (select array_agg(distinct modality) as modalities, count(*)::int as series,
          coalesce(sum(instances), 0)::int as instances, min(series_uid) as first_series
          from series s where s.organization_id = page.organization_id and s.study_uid = page.study_uid
          ${withinScope(scope)}) counts
    order by page.study_date desc, page.study_uid desc`.execute(db)
  const found = rows.map((row) => ({
    base: row.attributes,
    extras: {
      [tag.InstanceAvailability]: element('CS', 'ONLINE'),
      [tag.ModalitiesInStudy]: element('CS', ...(row.modalities ?? [])),
      [tag.RetrieveURL]: element('UR', retrieveUrl(scope, { study: row.study_uid })),
      [tag.NumberOfStudyRelatedSeries]: element('IS', row.series),
      [tag.NumberOfStudyRelatedInstances]: element('IS', row.instances),
    },
    instanceUID: row.representative,
  }))
  return { rows: found, tags: query.includes, unmatched }
}

async function findSeries(
  { db }: Dependencies,
  scope: ReadScope,
  path: UidPath,
  query: QidoQuery,
): Promise<SearchResult> {
  const { where, unmatched } = toConditions(query, seriesMatchers(scope))
  const sameSeries = sql`i.organization_id = page.organization_id and i.series_uid = page.series_uid`
  const { rows } = await sql<{
    study_uid: string
    series_uid: string
    attributes: JsonDataset
    study: JsonDataset
    instances: number
    representative: string | null
  }>`
    select page.*, ${selectRepresentative(query, sameSeries)} as representative
    from (select series.organization_id, series.study_uid, series.series_uid, series.attributes, series.instances,
            studies.attributes as study
          from series join studies
            on studies.organization_id = series.organization_id and studies.study_uid = series.study_uid
          where ${toScopeCondition('series', scope, path, where)}
          order by series.acq_date desc, series.series_uid desc
          limit ${query.limit} offset ${query.offset}) page`.execute(db)
  const found = rows.map((row) => ({
    // A search across studies returns the study's own attributes, too.
    base: { ...(path.study === undefined ? row.study : {}), ...row.attributes },
    extras: {
      [tag.StudyInstanceUID]: element('UI', row.study_uid),
      [tag.InstanceAvailability]: element('CS', 'ONLINE'),
      [tag.RetrieveURL]: element('UR', retrieveUrl(scope, { study: row.study_uid, series: row.series_uid })),
      [tag.NumberOfSeriesRelatedInstances]: element('IS', row.instances),
    },
    instanceUID: row.representative,
  }))
  return { rows: found, tags: query.includes, unmatched }
}

const instanceTags = [
  tag.SOPClassUID,
  tag.SOPInstanceUID,
  tag.InstanceAvailability,
  tag.InstanceNumber,
  tag.NumberOfFrames,
  tag.Rows,
  tag.Columns,
  tag.BitsAllocated,
]

async function findInstances(
  { db }: Dependencies,
  scope: ReadScope,
  path: UidPath,
  query: QidoQuery,
): Promise<SearchResult> {
  const { where, unmatched } = toConditions(query, instanceMatchers(scope))
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
    base: {},
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
  return { rows: found, tags: [...instanceTags, ...query.includes], unmatched }
}

/** A representative instance, whose header is read only when the request includes more than the index holds. */
function selectRepresentative(query: QidoQuery, where: RawBuilder<unknown>): RawBuilder<unknown> {
  if (query.includes.length === 0) return sql`null::text`
  return sql`(select sop_instance_uid from instances i where ${where}
    order by i.instance_number, i.sop_instance_uid limit 1)`
}

const finders = { studies: findStudies, series: findSeries, instances: findInstances }
export type SearchLevel = keyof typeof finders

export function searchHandler(deps: Dependencies, recordAccess: RecordAccess, level: SearchLevel) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const scope = await getReadScope(deps, request, 'List')
    // Without a study in the path, the scope's own condition on studies replaces it.
    const path = (request.params as UidPath).study === undefined ? {} : parseUidPath(request, scope)
    const query = parseQuery(request.query as Record<string, unknown>)
    await recordAccess(scope.context, {
      event: 'ScansQueried',
      organizationId: scope.store.organizationId,
      subject: { level, keys: [...query.keys.keys()], offset: query.offset, ...path, ...scope.about },
    })
    const { rows, tags, unmatched } = await finders[level](deps, scope, path, query)
    if (unmatched.length > 0)
      void reply.header('warning', `299 dmp "These attributes were not matched: ${unmatched.join(', ')}"`)
    else if (query.limit > 0 && rows.length === query.limit)
      void reply.header('warning', '299 dmp "There may be more results; continue with offset."')
    const { organizationId } = scope.store
    const { turn } = scope
    const reservation = await deps.memory.reserve(turn, readingLimits.headersBytes)
    try {
      const stream = await startStream(writeSearchRows(deps, organizationId, turn, rows, tags, reservation))
      return sendStream(reply.type('application/dicom+json'), stream, reservation)
    } catch (cause) {
      reservation.release()
      throw cause
    }
  }
}
