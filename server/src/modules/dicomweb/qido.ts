import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import { picked, type JsonDataset, type JsonElement } from '../../dicom/jsonModel.ts'
import { unpackedHeader } from '../scan/intake/instanceRows.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { RecordAccess } from './dicomweb.routes.ts'
import {
  conditions,
  dateMatch,
  nameMatch,
  readQuery,
  textMatch,
  uidMatch,
  type Matchers,
  type QidoQuery,
} from './qidoQuery.ts'
import { parseUidPath, getScope, type Scope, type UidPath } from './scope.ts'

/** QIDO-RS (PS3.18 section 10.6): search for studies, series and instances. */

const studyMatchers: Matchers = {
  '0020000D': uidMatch('studies.study_uid'),
  '00100020': textMatch('studies.patient_id'),
  '00100010': nameMatch('studies.patient_name'),
  '00080020': dateMatch('studies.study_date'),
  '00080050': textMatch('studies.accession_number'),
  '00081030': nameMatch(`coalesce(studies.attributes->'00081030'->'Value'->>0, '')`),
  '00080061': (value) =>
    sql`exists (select 1 from series s where s.organization_id = studies.organization_id and s.study_uid = studies.study_uid and s.modality = any(${value.split(/[,\\]/)}::text[]))`,
}
const seriesMatchers: Matchers = {
  ...studyMatchers,
  '0020000E': uidMatch('series.series_uid'),
  '00080060': uidMatch('series.modality'),
  '0008103E': nameMatch('series.description'),
}
const instanceMatchers: Matchers = {
  ...seriesMatchers,
  '00080018': uidMatch('instances.sop_instance_uid'),
  '00080016': uidMatch('instances.sop_class_uid'),
  '00200013': (value) => (/^-?\d{1,9}$/.test(value) ? sql`instances.instance_number = ${Number(value)}` : sql`false`),
}

const text = (vr: string, ...values: (string | number)[]): JsonElement => ({ vr, Value: values })
const address = (path: UidPath): string =>
  [
    '/dicom-web',
    path.study && `studies/${path.study}`,
    path.series && `series/${path.series}`,
    path.instance && `instances/${path.instance}`,
  ]
    .filter(Boolean)
    .join('/')

/** Tenant, path, launch and keys as one condition. */
function scoped(table: string, scope: Scope, path: UidPath, keys: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  const all = [sql`${sql.raw(table)}.organization_id = ${scope.store.organizationId}`, ...keys]
  if (scope.studies) all.push(sql`${sql.raw(table)}.study_uid = any(${[...scope.studies]}::text[])`)
  if (path.study !== undefined) all.push(sql`${sql.raw(table)}.study_uid = ${path.study}`)
  if (path.series !== undefined) all.push(sql`${sql.raw(table)}.series_uid = ${path.series}`)
  return sql.join(all, sql` and `)
}

interface Found {
  readonly rows: JsonDataset[]
  readonly unmatched: readonly string[]
}

async function findStudies({ db }: Dependencies, scope: Scope, path: UidPath, query: QidoQuery): Promise<Found> {
  const { where, unmatched } = conditions(query, studyMatchers)
  const { rows } = await sql<{
    study_uid: string
    attributes: JsonDataset
    modalities: string[]
    series: number
    instances: number
    header: Uint8Array | null
  }>`
    select page.*, counts.*, ${extras(query, sql`i.organization_id = page.organization_id and i.series_uid = counts.first_series`)} as header
    from (select organization_id, study_uid, attributes, study_date from studies where
    ${scoped('studies', scope, path, where)}
          order by study_date desc, study_uid desc limit ${query.limit} offset ${query.offset}) page
    cross join lateral (select array_agg(distinct modality) as modalities, count(*)::int as series,
    coalesce(sum(instances), 0)::int as instances, min(series_uid) as first_series
          from series s where s.organization_id = page.organization_id and s.study_uid = page.study_uid) counts
    order by page.study_date desc, page.study_uid desc`.execute(db)
  const answer = rows.map((row) => ({
    ...withIncludes(row.attributes, row.header, query),
    '00080056': text('CS', 'ONLINE'),
    '00080061': text('CS', ...(row.modalities ?? [])),
    '00081190': text('UR', address({ study: row.study_uid })),
    '00201206': text('IS', row.series),
    '00201208': text('IS', row.instances),
  }))
  return { rows: answer, unmatched }
}

async function findSeries({ db }: Dependencies, scope: Scope, path: UidPath, query: QidoQuery): Promise<Found> {
  const { where, unmatched } = conditions(query, seriesMatchers)
  const { rows } = await sql<{
    study_uid: string
    series_uid: string
    attributes: JsonDataset
    study: JsonDataset
    instances: number
    header: Uint8Array | null
  }>`
    select page.*, ${extras(query, sql`i.organization_id = page.organization_id and i.series_uid = page.series_uid`)} as
    header
    from (select series.organization_id, series.study_uid, series.series_uid, series.attributes, series.instances,
    studies.attributes as study
          from series join studies on studies.organization_id = series.organization_id and studies.study_uid =
          series.study_uid
          where ${scoped('series', scope, path, where)}
          order by series.acq_date desc, series.series_uid desc limit ${query.limit} offset ${query.offset})
          page`.execute(db)
  const answer = rows.map((row) => ({
    // The study's own attributes come along when the search went beyond one study.
    ...(path.study === undefined ? row.study : {}),
    ...withIncludes(row.attributes, row.header, query),
    '0020000D': text('UI', row.study_uid),
    '00080056': text('CS', 'ONLINE'),
    '00081190': text('UR', address({ study: row.study_uid, series: row.series_uid })),
    '00201209': text('IS', row.instances),
  }))
  return { rows: answer, unmatched }
}

const instanceTags = ['00080016', '00080018', '00080056', '00200013', '00280008', '00280010', '00280011', '00280100']

async function findInstances({ db }: Dependencies, scope: Scope, path: UidPath, query: QidoQuery): Promise<Found> {
  const { where, unmatched } = conditions(query, instanceMatchers)
  const { rows } = await sql<{
    study_uid: string
    series_uid: string
    sop_instance_uid: string
    transfer_syntax_uid: string
    header: Uint8Array
    modality: string
  }>`
    select instances.study_uid, instances.series_uid, instances.sop_instance_uid, instances.transfer_syntax_uid,
    instances.header, series.modality
    from instances join series on series.organization_id = instances.organization_id and series.series_uid =
    instances.series_uid
    join studies on studies.organization_id = instances.organization_id and studies.study_uid = instances.study_uid
    where ${scoped('instances', scope, path, where)}
    order by instances.series_uid, instances.instance_number, instances.sop_instance_uid limit ${query.limit} offset
    ${query.offset}`.execute(db)
  const answer = rows.map((row) => {
    const header = unpackedHeader(row.header)
    return {
      ...picked(header, [...instanceTags, ...query.includes]),
      '0020000D': text('UI', row.study_uid),
      '0020000E': text('UI', row.series_uid),
      '00080056': text('CS', 'ONLINE'),
      '00080060': text('CS', row.modality),
      '00083002': text('UI', row.transfer_syntax_uid),
      '00081190': text('UR', address({ study: row.study_uid, series: row.series_uid, instance: row.sop_instance_uid })),
    }
  })
  return { rows: answer, unmatched }
}

/** The header of a representative instance, read only when more than the index holds was asked for. */
function extras(query: QidoQuery, where: RawBuilder<unknown>): RawBuilder<unknown> {
  if (query.includes.length === 0) return sql`null::bytea`
  return sql`(select header from instances i where ${where} order by i.instance_number, i.sop_instance_uid limit 1)`
}

const withIncludes = (attributes: JsonDataset, header: Uint8Array | null, query: QidoQuery): JsonDataset =>
  header ? { ...attributes, ...picked(unpackedHeader(header), query.includes) } : attributes

const finders = { studies: findStudies, series: findSeries, instances: findInstances }

export function search(deps: Dependencies, seen: RecordAccess, level: keyof typeof finders) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const scope = await getScope(deps, request, 'List')
    // Without a study in the path the scope's own condition on studies does what the path would.
    const path = (request.params as UidPath).study === undefined ? {} : parseUidPath(request, scope)
    const query = readQuery(request.query as Record<string, unknown>)
    await seen(scope.context, {
      event: 'ScansQueried',
      organizationId: scope.store.organizationId,
      subject: { level, keys: [...query.keys.keys()], offset: query.offset, ...path },
    })
    const { rows, unmatched } = await finders[level](deps, scope, path, query)
    if (unmatched.length > 0)
      void reply.header('warning', `299 dmp "These attributes were not matched: ${unmatched.join(', ')}"`)
    else if (query.limit > 0 && rows.length === query.limit)
      void reply.header('warning', '299 dmp "There may be more results; ask on with offset."')
    return reply.type('application/dicom+json').send(JSON.stringify(rows))
  }
}
