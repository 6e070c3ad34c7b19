import { isEndpoint, seenDateHeader, type Endpoint } from '@dmp/contract'
import { modules } from '@dmp/contract/calls'
import type { GenericSchema } from 'valibot'
import { toSecurity } from './security.ts'
import { describeLimits, refuse, refuseAny } from './refusals.ts'
import type { Json, Schemas } from './schemas.ts'

/** The calls of the contract as operations of the API document. */

export const toTemplate = (path: string): string => path.replace(/:(\w+)/g, '{$1}').replace('*', '{path}')

const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } })

/** A number of a query is text on the wire; one form of it is enough to know. */
function toPlain({ anyOf, ...rest }: Json): Json {
  const kinds = ((anyOf ?? []) as readonly Json[]).map(({ type }) => type)
  return kinds.length === 2 && kinds.includes('number') && kinds.includes('string')
    ? { ...rest, type: 'integer' }
    : anyOf === undefined
      ? rest
      : { anyOf, ...rest }
}

function toParameters(schemas: Schemas, schema: GenericSchema | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemas.convert(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: toPlain(property),
  }))
}

/** The check whether somebody else changed the thing meanwhile, where the call makes it. */
function toSeenDateParameter(...schemas: readonly (GenericSchema | undefined)[]): Json[] {
  const isChecked = schemas.some((schema) => 'seenUpdatedDate' in ((schema as { entries?: object })?.entries ?? {}))
  const description = 'updatedDate as it was read; if it is another one by now, the call is refused with 409.'
  const schema = { type: 'string', format: 'date-time' }
  return isChecked ? [{ name: seenDateHeader, in: 'header', required: false, description, schema }] : []
}

function toResponse(schemas: Schemas, { definition: { answer, sortable } }: Endpoint): Json {
  const total = { type: 'integer', description: 'Number of rows on all pages; only if a page was requested.' }
  return {
    description: 'Done.',
    ...json({
      type: 'object',
      required: ['data'],
      properties: {
        data: answer ? schemas.convert(answer, 'output') : { type: 'null' },
        ...(sortable ? { total } : {}),
      },
    }),
  }
}

function toBody(schemas: Schemas, { definition: { body, bodyLimit } }: Endpoint): Json {
  if (!body) return {}
  const description = bodyLimit === undefined ? {} : { description: `At most ${bodyLimit} bytes.` }
  return { requestBody: { required: true, ...description, ...json(schemas.convert(body, 'input')) } }
}

function describeRights({ definition: { needs, isForMachines } }: Endpoint): string {
  if (needs === 'nothing') return 'Open to everyone.'
  if (needs === 'session') return 'Needs a session.'
  return `Needs ${needs.module}/${needs.action}.${isForMachines ? ' An API token opens it as well.' : ''}`
}

function toOperation(schemas: Schemas, module: string, name: string, call: Endpoint): Json {
  const { needs, summary, params, query, body, isForMachines, refusals = [] } = call.definition
  const { sentence, extension } = describeLimits(call.name)
  const refused = [...(needs === 'nothing' ? [] : [401, 403]), ...refusals]
  return {
    operationId: `${module}.${name}`,
    tags: [module],
    summary,
    description: describeRights(call) + sentence,
    security: toSecurity({
      needs,
      secret: needs === 'nothing' ? 'none' : 'token',
      ...(isForMachines ? { isForMachines } : {}),
    }),
    parameters: [
      ...toParameters(schemas, params, 'path'),
      ...toParameters(schemas, query, 'query'),
      ...toSeenDateParameter(query, body),
    ],
    ...toBody(schemas, call),
    responses: { 200: toResponse(schemas, call), ...refuse(...refused), ...refuseAny() },
    ...extension,
  }
}

/** One path of the document with one of its operations. */
export interface Described {
  readonly path: string
  readonly method: string
  readonly operation: Json
}

export const describeCalls = (schemas: Schemas): Described[] =>
  Object.entries(modules).flatMap(([module, calls]) =>
    Object.entries(calls).flatMap(([name, call]) =>
      isEndpoint(call)
        ? [
            {
              path: toTemplate(call.definition.path),
              method: call.definition.method.toLowerCase(),
              operation: toOperation(schemas, module, name, call),
            },
          ]
        : [],
    ),
  )
