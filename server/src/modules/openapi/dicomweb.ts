import { may } from '@dmp/contract'
import { findKeyword } from '../../dicom/dictionary.ts'
import { formatOffer, type OfferedType } from '../dicomweb/acceptedTypes.ts'
import { formatKeyPath } from '../dicomweb/capabilities.ts'
import { parameters, root, serviceList, type Service } from '../dicomweb/dicomwebServices.ts'
import { listQueryKeys, queryKeys } from '../dicomweb/queryKeys.ts'
import { sharedRoot } from '../dicomweb/sharedScope.ts'
import { toTemplate, type Described } from './operations.ts'
import { describeLimits, refuse } from './refusals.ts'
import { refer, type Json } from './schemas.ts'
import { toSecurity } from './security.ts'

/** DICOMweb in the API document, made of the table that routes it, and its reading again below share links. */

const pathParameters: Readonly<Record<string, string>> = {
  study: 'Study Instance UID',
  series: 'Series Instance UID',
  instance: 'SOP Instance UID',
  frames: 'numbers of frames, the first is 1, with commas between them',
  path: 'as metadata name it in BulkDataURI; it may have slashes',
  share: 'id of the share link (scan.openShared)',
}
const text: Json = { type: 'string' }

export const dicomWebParameters: Json = Object.fromEntries([
  ...Object.entries(pathParameters).map(([name, description]) => [
    `path.${name}`,
    { name, in: 'path', required: true, description, schema: text },
  ]),
  ...Object.entries(parameters).map(([name, description]) => [
    `dicomweb.${name}`,
    { name, in: 'query', required: false, description, schema: text },
  ]),
  ...queryKeys.map(({ path }) => {
    const name = formatKeyPath(path)
    const description = `the attribute ${path
      .split('.')
      .map((tag) => findKeyword(tag) ?? tag)
      .join(' in ')}; also by its tag ${path}`
    return [`key.${name}`, { name, in: 'query', required: false, description, schema: text }]
  }),
])

export const dicomWebSchemas: Json = {
  DicomJson: {
    type: 'array',
    description: 'Data sets of the DICOM JSON model (PS3.18 annex F), by tag.',
    items: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['vr'],
        properties: { vr: text, Value: { type: 'array' }, BulkDataURI: text, InlineBinary: text },
      },
    },
    examples: [
      [
        {
          '0020000D': { vr: 'UI', Value: ['2.25.100'] },
          '00100010': { vr: 'PN', Value: [{ Alphabetic: 'Sample^Ruth' }] },
          '00080061': { vr: 'CS', Value: ['MR'] },
        },
      ],
    ],
  },
}

const isDicomJson = ({ type }: OfferedType): boolean => type.endsWith('json')
const toContent = (offers: readonly OfferedType[]): Json => ({
  content: Object.fromEntries(
    offers.map((offer) => [
      formatOffer(offer),
      isDicomJson(offer) && !offer.isMultipart ? { schema: refer('schemas', 'DicomJson') } : {},
    ]),
  ),
})

function toResponses({ method, answers }: Service): Json {
  if (method === 'DELETE') return { 204: { description: 'It is gone.' }, ...refuse(400, 401, 403, 404, 409, 429, 503) }
  const done = toContent(answers)
  if (method === 'POST')
    return {
      200: { description: 'Every object is stored.', ...done },
      202: { description: 'Some objects are stored; the answer says why others are not.', ...done },
      409: { description: 'No object is stored; the answer says why.', ...done },
      ...refuse(400, 401, 403, 404, 413, 415, 429, 503, 507),
    }
  return {
    200: { description: 'Found.', ...done },
    304: { description: 'The client has this version already (If-None-Match).' },
    ...refuse(400, 401, 403, 404, 406, 429, 503),
  }
}

/** A service has several addresses: the last parameter of each tells them apart. */
function nameOperation(name: string, { paths }: Service, path: string): string {
  const last = [...path.matchAll(/:(\w+)/g)].at(-1)?.[1]
  return paths.length > 1 && last !== undefined ? `${name}Of${last.charAt(0).toUpperCase()}${last.slice(1)}` : name
}

function toOperation(name: string, service: Service, path: string, isShared: boolean): Json {
  const { title, section, action, takes, level, note } = service
  const { sentence, extension } = describeLimits('DICOMweb')
  const access = isShared
    ? ({ needs: 'nothing', secret: 'share cookie' } as const)
    : ({
        needs: may('Scan', action),
        secret: service.method === 'GET' ? 'token or launch cookie' : 'token',
        isForMachines: true,
      } as const)
  const rights = isShared ? 'For whoever opened the link.' : `Needs Scan/${action}.`
  return {
    operationId: `${isShared ? 'shared' : 'dicomweb'}.${nameOperation(name, service, path)}`,
    tags: [isShared ? 'share links' : 'DICOMweb'],
    summary: title,
    description: [`PS3.18, ${section}.`, rights + sentence, ...(note === undefined ? [] : [note])].join(' '),
    security: toSecurity(access),
    parameters: [
      ...[...toTemplate(path).matchAll(/\{(\w+)\}/g)].map(([, one]) => refer('parameters', `path.${one}`)),
      ...service.parameters.map((one) => refer('parameters', `dicomweb.${one}`)),
      ...(level === undefined ? [] : listQueryKeys(level)).map((key) =>
        refer('parameters', `key.${formatKeyPath(key.path)}`),
      ),
    ],
    ...(takes ? { requestBody: { required: true, ...toContent(takes) } } : {}),
    responses: toResponses(service),
    ...extension,
  }
}

export const describeDicomWeb = (): Described[] =>
  serviceList.flatMap(([name, service]) =>
    service.paths.flatMap((path) => {
      const method = service.method.toLowerCase()
      const own = { path: toTemplate(path), method, operation: toOperation(name, service, path, false) }
      if (service.method !== 'GET') return [own]
      const shared = path.replace(root, sharedRoot)
      return [own, { path: toTemplate(shared), method, operation: toOperation(name, service, shared, true) }]
    }),
  )
