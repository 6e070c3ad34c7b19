import { modules } from '@dmp/contract/calls'
import { everyCall } from '../../core/rateLimits.ts'
import { apiRoot } from '../../settings/runtimeSettings.ts'
import { root } from '../dicomweb/dicomwebServices.ts'
import { liveUrl } from '../../http/live/liveChannel.ts'
import { describeDicomWeb, dicomWebParameters, dicomWebSchemas } from './dicomweb.ts'
import {
  describeLiveChannel,
  describeOAuth,
  describeShareWatch,
  describeUploads,
  describeWebhooks,
  oauthSchemas,
} from './doors.ts'
import { describeCalls } from './operations.ts'
import { describeCodes, errorSchemas, formatLimits, headers, responses } from './refusals.ts'
import { Schemas, type Json } from './schemas.ts'
import { securitySchemes } from './security.ts'

/** What stands beside the calls, in the order of the page. */
const doors: Readonly<Record<string, string>> = {
  DICOMweb: 'PS3.18. What is taken and answered, with every matching key: docs/conformance.md.',
  'resumable uploads': 'tus 1.0.0, for large files and bad lines.',
  OAuth: 'How machines get and end what they show.',
  'share links': 'What a link opens, for the browser that opened it with scan.openShared.',
  'live channel': 'A WebSocket of the web application.',
  webhooks: 'What other programs are sent.',
}

const description = [
  'Paths are matched without regard to case. Success is {"data": …}; unknown properties are refused.',
  'A refusal has a code of the closed list in x-error-codes, a sentence for a person, and the id of the request.',
  `All calls together: at most ${formatLimits(everyCall)}. Whoever is refused with 429 or 503 waits as long as Retry-After says.`,
].join(' ')

const isBesideApi = (path: string): boolean => path === liveUrl || path.startsWith(`${root}/`)

/** The OpenAPI 3.1 document, made of the tables and schemas that the server itself runs on. */
export function createDocument(publicUrl: string): Json {
  const schemas = new Schemas()
  const paths: Record<string, Json> = {}
  const described = [
    ...describeCalls(schemas),
    ...describeDicomWeb(),
    ...describeUploads(),
    ...describeOAuth(),
    ...describeShareWatch(),
    ...describeLiveChannel(schemas),
  ]
  for (const { path, method, operation } of described) {
    const servers = isBesideApi(path) ? { servers: [{ url: publicUrl === '' ? '/' : publicUrl }] } : {}
    paths[path] = { ...servers, ...paths[path], [method]: operation }
  }
  const webhooks = describeWebhooks(schemas)
  return {
    openapi: '3.1.0',
    info: { title: 'Data Management Platform', version: '1.1.0', description },
    servers: [{ url: publicUrl + apiRoot }],
    tags: [
      ...Object.keys(modules).map((name) => ({ name })),
      ...Object.entries(doors).map(([name, text]) => ({ name, description: text })),
    ],
    paths,
    webhooks,
    components: {
      securitySchemes,
      parameters: dicomWebParameters,
      headers,
      responses,
      schemas: { ...errorSchemas, ...oauthSchemas, ...dicomWebSchemas, ...schemas.components },
    },
    'x-error-codes': Object.fromEntries(describeCodes()),
  }
}
