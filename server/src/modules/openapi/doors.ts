import { may } from '@dmp/contract'
import { ClientFrame, ServerFrame, closeCodes, closeReasons } from '@dmp/contract/live'
import { liveBounds, liveUrl } from '../../http/live/liveChannel.ts'
import { apiRoot } from '../../settings/runtimeSettings.ts'
import { form, oauthDoors, type OAuthDoor } from '../apiToken/oauth.routes.ts'
import { oauthErrors } from '../apiToken/oauth.ts'
import { grants } from '../apiToken/tokenEndpoint.ts'
import {
  offsetType,
  tusHeaders,
  tusOfImports,
  tusServices,
  tusVersion,
  type TusHeader,
  type TusService,
} from '../dicomweb/tusServices.ts'
import { sharedRoot } from '../dicomweb/sharedScope.ts'
import { ChangeMessage } from '../webhook/payload.ts'
import { toTemplate, type Described } from './operations.ts'
import { describeLimits, refuse } from './refusals.ts'
import { refer, type Json, type Schemas } from './schemas.ts'
import { toSecurity } from './security.ts'

/** Doors beside the calls, each made of the table or the values that its own code uses. */

const text: Json = { type: 'string' }
const bytes: Json = { content: { [offsetType]: {} } }

const toHeaderSchema = (name: TusHeader): Json =>
  name === 'Tus-Resumable'
    ? { ...text, const: tusVersion }
    : /^Upload-(?:Length|Offset)$/.test(name)
      ? { type: 'integer', minimum: 0 }
      : text

const toHeaders = (names: readonly TusHeader[]): Json =>
  names.length === 0
    ? {}
    : {
        headers: Object.fromEntries(
          names.map((name) => [name, { description: tusHeaders[name], schema: toHeaderSchema(name) }]),
        ),
      }

/** Objects, which machines send as well, or the archives of people. */
const uploads = { id: 'uploads', needs: may('Scan', 'Upload'), isForMachines: true } as const
const imports = { id: 'imports', needs: may('Organization', 'Import') } as const

function toUpload(service: TusService, kind: typeof uploads | typeof imports): Described {
  const { method, path, title, limit, isForEverybody, needs, takes = [], hasBody, status, answers, note } = service
  const { sentence, extension } = describeLimits(limit)
  const id = path.includes(':id') ? [{ name: 'id', in: 'path', required: true, schema: text }] : []
  const toParameter = (required: boolean) => (name: TusHeader) => ({
    name,
    in: 'header',
    required,
    description: tusHeaders[name],
    schema: toHeaderSchema(name),
  })
  const refused = isForEverybody ? [429] : [400, 401, 403, 404, 409, 412, 413, 415, 422, 429, 503, 507]
  return {
    path: toTemplate(path.slice(apiRoot.length)),
    method: method.toLowerCase(),
    operation: {
      operationId: `${kind.id}.${id.length > 0 && method === 'POST' ? 'override' : method.toLowerCase()}`,
      tags: ['resumable uploads'],
      summary: title,
      description: [
        isForEverybody ? 'Open to everyone.' : `Needs ${kind.needs.module}/${kind.needs.action}.`,
        note ?? '',
        sentence.trim(),
      ]
        .filter(Boolean)
        .join(' '),
      security: toSecurity(
        isForEverybody
          ? { needs: 'nothing', secret: 'none' }
          : {
              secret: 'token',
              ...('isForMachines' in kind ? { needs: kind.needs, isForMachines: true } : { needs: kind.needs }),
            },
      ),
      parameters: [...id, ...needs.map(toParameter(true)), ...takes.map(toParameter(false))],
      ...(hasBody ? { requestBody: { required: false, ...bytes } } : {}),
      responses: { [status]: { description: 'Done.', ...toHeaders(answers) }, ...refuse(...refused) },
      ...extension,
    },
  }
}

export const describeUploads = (): Described[] => [
  ...tusServices.map((service) => toUpload(service, uploads)),
  ...tusOfImports.map((service) => toUpload(service, imports)),
]

function toOAuth({ path, limit, title, needs, takes, answers }: OAuthDoor): Described {
  const { sentence, extension } = describeLimits(limit)
  const names = [...needs, ...takes]
  const toProperty = (name: string): Json => (name === 'grant_type' ? { ...text, enum: Object.keys(grants) } : text)
  const properties = Object.fromEntries(names.map((name) => [name, toProperty(name)]))
  const answered = Object.fromEntries(
    answers.map((name) => [name, /^(?:expires_in|interval)$/.test(name) ? { type: 'integer' } : text]),
  )
  const refusedBy = { content: { 'application/json': { schema: refer('schemas', 'OAuthProblem') } } }
  return {
    path: `/oauth/${path}`,
    method: 'post',
    operation: {
      operationId: `oauth.${path}`,
      tags: ['OAuth'],
      summary: title,
      description: `Open to everyone.${sentence}`,
      security: [],
      requestBody: { required: true, content: { [form]: { schema: { type: 'object', required: needs, properties } } } },
      responses: {
        200: {
          description: 'Done.',
          ...(answers.length === 0
            ? {}
            : { content: { 'application/json': { schema: { type: 'object', properties: answered } } } }),
        },
        400: { description: 'Refused in the words of the standard.', ...refusedBy },
        401: { description: 'invalid_client.', ...refusedBy },
        ...refuse(429, 503),
      },
      ...extension,
    },
  }
}

export const oauthSchemas: Json = {
  OAuthProblem: {
    type: 'object',
    required: ['error'],
    properties: { error: { ...text, enum: oauthErrors }, error_description: text },
    examples: [{ error: 'invalid_scope', error_description: 'This API token has the scopes: read.' }],
  },
}

export const describeOAuth = (): Described[] => oauthDoors.map(toOAuth)

/** OpenAPI has no words for frames: the upgrade is an operation, and frames are schemas that its text refers to. */
export function describeLiveChannel(schemas: Schemas): Described[] {
  const { sentence, extension } = describeLimits('live channel')
  const frames = { client: schemas.convert(ClientFrame, 'input'), server: schemas.convert(ServerFrame, 'output') }
  const inQuery = (name: string, required: boolean, description: string) => ({
    name,
    in: 'query',
    required,
    description,
    schema: text,
  })
  return [
    {
      path: liveUrl,
      method: 'get',
      operation: {
        operationId: 'live.open',
        tags: ['live channel'],
        summary: 'Open a WebSocket that tells of the session: its end, a new token, news of the inbox',
        description:
          `JSON text both ways, one frame a message, in the shapes of x-frames. At most ${liveBounds.frameBytes} bytes a frame, and ` +
          `${liveBounds.frames} frames in ${liveBounds.windowMs / 1000} seconds. The first frame is renewToken, with the access token of the session. ` +
          `An API token opens no live channel: ask changes.list, or make a webhook.${sentence}`,
        security: [],
        parameters: [
          inQuery('sessionId', true, 'a UUID that the client chose for the session'),
          inQuery(
            'clientId',
            true,
            'the client id of the web application, or of an application that the operator lists',
          ),
          inQuery('accessToken', false, 'in place of the first frame; never logged'),
        ],
        responses: { 101: { description: 'Open.' }, ...refuse(400, 403, 426, 429) },
        'x-frames': frames,
        'x-close-codes': closeCodes,
        'x-close-reasons': closeReasons,
        ...extension,
      },
    },
  ]
}

/** What ends a link while it is looked at. */
export const describeShareWatch = (): Described[] => [
  {
    path: toTemplate(`${sharedRoot}/watch`),
    method: 'get',
    operation: {
      operationId: 'shared.watch',
      tags: ['share links'],
      summary: 'Wait until something about the link changes, half a minute at most',
      description: `For whoever opened the link.${describeLimits('DICOMweb').sentence}`,
      security: toSecurity({ needs: 'nothing', secret: 'share cookie' }),
      parameters: [refer('parameters', 'path.share')],
      responses: { 204: { description: 'The link goes on.' }, ...refuse(404, 429, 503) },
      ...describeLimits('DICOMweb').extension,
    },
  },
]

/** What receivers of webhooks are sent, by the rules of Standard Webhooks. */
export const describeWebhooks = (schemas: Schemas): Json => {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: text,
  })
  return {
    change: {
      post: {
        operationId: 'webhooks.change',
        tags: ['webhooks'],
        summary: 'A change of a series, as changes.list tells it',
        description:
          'Any answer from 200 to 299 within 15 seconds delivers it; anything else is tried again for three days.',
        security: [],
        parameters: [
          header('webhook-id', 'the same for every try and replay'),
          header('webhook-timestamp', 'seconds since 1970'),
          header('webhook-signature', 'v1, and HMAC-SHA256 of id, timestamp and body'),
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: schemas.convert(ChangeMessage, 'output') } },
        },
        responses: { 204: { description: 'Taken.' }, 410: { description: 'Pauses the webhook.' } },
      },
    },
  }
}
