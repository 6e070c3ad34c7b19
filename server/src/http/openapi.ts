import { toJsonSchema } from '@valibot/to-json-schema'
import { isEndpoint, seenDateHeader, type Endpoint } from '@dmp/contract'
import { modules } from '@dmp/contract/calls'
import type { FastifyInstance } from 'fastify'
import type { GenericSchema } from 'valibot'
import { apiRoot } from '../settings/runtimeSettings.ts'
import { escapeHtml } from '../core/escapeHtml.ts'
import { sendPage } from '../core/htmlPage.ts'
import { forEverybody } from '../core/access.ts'

type Schema = Record<string, unknown>

/** Rules between fields and transformations have no JSON Schema; the shape of what comes in is what a client needs. */
const toSchema = (schema: GenericSchema | undefined, typeMode: 'input' | 'output'): Schema => {
  if (!schema) return { type: 'null' }
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    typeMode,
    errorMode: 'ignore',
    target: 'draft-2020-12',
  }) as Schema
  return rest
}

const json = (schema: Schema) => ({ content: { 'application/json': { schema } } })

const problem = { $ref: '#/components/responses/Problem' }

function toParameters(schema: GenericSchema | undefined, place: 'path' | 'query'): Schema[] {
  if (!schema) return []
  const { properties = {}, required = [] } = toSchema(schema, 'input') as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

/** The check whether somebody else changed the thing meanwhile, where the call makes it. */
function toSeenDateParameter(...schemas: readonly (GenericSchema | undefined)[]): Schema[] {
  const isChecked = schemas.some((schema) => 'seenUpdatedDate' in ((schema as { entries?: object })?.entries ?? {}))
  const description = 'updatedDate as it was read; if it is another one by now, the call is refused with 409.'
  const schema = { type: 'string', format: 'date-time' }
  return isChecked ? [{ name: seenDateHeader, in: 'header', required: false, description, schema }] : []
}

function toOperation(module: string, name: string, { definition }: Endpoint): Schema {
  const { needs, summary, params, query, body, answer, sortable, isForMachines, refusals = [] } = definition
  const rights =
    typeof needs === 'string'
      ? needs === 'session'
        ? 'Needs a session.'
        : 'Open to everyone.'
      : `Needs ${needs.module}/${needs.action}.${isForMachines ? ' An API token opens it as well.' : ''}`
  return {
    operationId: `${module}.${name}`,
    tags: [module],
    summary,
    description: rights,
    security: needs === 'nothing' ? [] : [{ bearer: [] }],
    parameters: [...toParameters(params, 'path'), ...toParameters(query, 'query'), ...toSeenDateParameter(query, body)],
    ...(body ? { requestBody: { required: true, ...json(toSchema(body, 'input')) } } : {}),
    responses: {
      200: {
        description: 'Done.',
        ...json({
          type: 'object',
          required: ['data'],
          properties: {
            data: toSchema(answer, 'output'),
            ...(sortable
              ? {
                  total: { type: 'integer', description: 'Number of rows on all pages; only if a page was requested.' },
                }
              : {}),
          },
        }),
      },
      ...Object.fromEntries(
        [400, ...(needs === 'nothing' ? [] : [401, 403]), 404, 409, ...refusals, 413, 415, 429, 503].map((status) => [
          status,
          problem,
        ]),
      ),
    },
  }
}

const envelope: Schema = {
  type: 'object',
  required: ['code', 'message', 'requestId'],
  properties: {
    code: { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$' },
    message: { type: 'string', description: 'For a person.' },
    requestId: { type: 'string' },
    fields: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
}

/** The OpenAPI 3.1 document, made from the contract like the routes themselves. */
export function openApiDocument(): Schema {
  const paths: Record<string, Schema> = {}
  for (const [module, calls] of Object.entries(modules)) {
    for (const [name, call] of Object.entries(calls)) {
      if (!isEndpoint(call)) continue
      const path = call.definition.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [call.definition.method.toLowerCase()]: toOperation(module, name, call) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Data Management Platform',
      version: '1.1.0',
      description: 'Paths are matched without regard to case. Success is {"data": …}; unknown properties are refused.',
    },
    servers: [{ url: apiRoot }],
    tags: Object.keys(modules).map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      responses: { Problem: { description: 'What went wrong, for a person and for a program.', ...json(envelope) } },
    },
  }
}

export function registerOpenApi(app: FastifyInstance): void {
  const options = { config: { limit: 'documentation', access: forEverybody } } as const
  // Made once: as large as it is, each asker would take milliseconds of everybody's time.
  const document = JSON.stringify(openApiDocument())
  const page = Object.entries(modules).map(
    ([module, calls]) =>
      `<h2>${escapeHtml(module)}</h2>${Object.values(calls).filter(isEndpoint).map(formatArticle).join('')}`,
  )
  app.get(`${apiRoot}/openapi.json`, options, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(document),
  )
  app.get(`${apiRoot}/docs`, options, async (_request, reply) =>
    sendPage(
      reply,
      'API of the Data Management Platform',
      `<p>Every call, with the schemas of what it takes and answers, as <a href="${apiRoot}/openapi.json">OpenAPI 3.1</a>.</p>${page.join('')}`,
    ),
  )
}

function formatArticle({ definition }: Endpoint): string {
  const { method, path, summary, needs, body, query, answer } = definition
  const rights =
    typeof needs === 'string' ? (needs === 'session' ? 'any session' : 'everybody') : `${needs.module}/${needs.action}`
  const formatDetails = (label: string, schema: GenericSchema | undefined, mode: 'input' | 'output'): string =>
    schema
      ? `<details><summary>${label}</summary><pre>${escapeHtml(JSON.stringify(toSchema(schema, mode), null, 2))}</pre></details>`
      : ''
  return `<article><code><span class="method">${method}</span>${escapeHtml(apiRoot + path)}</code><p>${escapeHtml(summary)} <span class="quiet">For ${escapeHtml(rights)}.</span></p>${formatDetails('Query', query, 'input')}${formatDetails('Body', body, 'input')}${formatDetails('Answer', answer, 'output')}</article>`
}
