import { isEndpoint, permits, seenDateHeader, type Definition, type Endpoint } from '@dmp/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import * as v from 'valibot'
import type { Dependencies } from '../dependencies.ts'
import { authenticate } from '../identity/authenticate.ts'
import { outOfScope } from '../identity/outOfScope.ts'
import { recognize } from '../identity/recognize.ts'
import { toCaller, createCookies } from '../core/caller.ts'
import type { Context, PublicContext } from '../core/context.ts'
import { needed, Refusal, type FieldProblem } from '../core/errors.ts'
import { apiRoot } from '../settings/runtimeSettings.ts'
import { alsoForMachines, type Access } from '../core/access.ts'
import { LongBodies } from './longBodies.ts'

type AnyHandler = (input: Record<string, unknown>, context: PublicContext | Context) => Promise<unknown>

/**
 * Adds a route for each call of a contract module.
 *
 * @example
 * registerModule(app, deps, complaint, complaintHandlers(deps))
 */
export function registerModule(app: FastifyInstance, deps: Dependencies, contract: object, handlers: object): void {
  const gate = { deps, bodies: new LongBodies() }
  for (const [name, call] of Object.entries(contract)) {
    if (isEndpoint(call))
      registerCall(app, gate, call, (handlers as Readonly<Record<string, AnyHandler>>)[name] as AnyHandler)
  }
}

interface Gate {
  readonly deps: Dependencies
  /** Of one module. */
  readonly bodies: LongBodies
}

/** Whatever strangers may send fits many times; reading costs them nothing, and this server its time. */
const strangersBodyBytes = 16 * 1024

/** Bodies beyond it are in memory several times over until they are answered: few of them at once. */
const longBodyBytes = 1024 * 1024

function registerCall(app: FastifyInstance, { deps, bodies }: Gate, call: Endpoint, handle: AnyHandler): void {
  const { method, path, needs } = call.definition
  const bodyLimit = call.definition.bodyLimit ?? (needs === 'nothing' ? strangersBodyBytes : undefined)
  const options: RouteShorthandOptions = {
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    // Before the body is read: who may not make the call, or makes too many, costs nothing more.
    onRequest: async (request, reply) => {
      request.viewer = await admit(deps, call, request)
      if (request.viewer && (bodyLimit ?? 0) > longBodyBytes) await bodies.hold(request.viewer, reply)
    },
  }
  app.route({
    ...options,
    method,
    url: apiRoot + path,
    config: { limit: `${method} ${path}`, access: toAccess(call) },
    handler: async (request, reply) => {
      const input = parseInput(call.definition, request)
      const context = createContext(call, request, reply, deps)
      return envelope(call, await handle(input, context))
    },
  })
}

function toAccess({ definition: { needs, isForMachines } }: Endpoint): Access {
  const access = {
    needs,
    secret: needs === 'nothing' ? 'none' : 'token',
    hasWalls: typeof needs !== 'string',
  } as const
  return isForMachines ? alsoForMachines(access) : access
}

/** After the limits by address: who it is (401), then whether the policy permits it (403), then limits by viewer. */
async function admit(
  deps: Dependencies,
  call: Endpoint,
  request: FastifyRequest,
): Promise<Context['viewer'] | undefined> {
  if (call.definition.needs === 'nothing') return undefined
  const viewer = await judge(deps, call, request)
  await recognize(deps, request, viewer, call.name)
  return viewer
}

async function judge(deps: Dependencies, call: Endpoint, request: FastifyRequest): Promise<Context['viewer']> {
  const { needs } = call.definition
  const viewer = await authenticate(deps, request)
  if (permits(viewer.policy, needs) && (!viewer.isLimited || isOpenToLimited(call, viewer))) return viewer
  deps.refusedAccess(viewer, request, call.name)
  throw viewer.ownerId !== undefined && typeof needs === 'object'
    ? outOfScope(needs)
    : new Refusal(403, 'NOT_ALLOWED', 'You do not have access to this action.')
}

/** A machine may what its scopes hold, at the calls that are open to machines. */
const isOpenToLimited = (call: Endpoint, { ownerId }: Context['viewer']): boolean =>
  (ownerId !== undefined && call.definition.isForMachines === true) || isOpenToReaders(call)

/** A token that only reads scans (4.14): whatever its policy lists, it changes nothing and is nobody's account. */
const isOpenToReaders = ({ name, definition: { method, needs } }: Endpoint): boolean =>
  method === 'GET' && (needs !== 'session' || name === 'GET /account/validateToken')

function createContext(
  call: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Dependencies,
): PublicContext | Context {
  const shared = { request: toCaller(request), cookies: createCookies(request, reply, deps) }
  if (!request.viewer) return shared
  const readmit = async (): Promise<void> => void (await judge(deps, call, request))
  return { ...shared, viewer: request.viewer, readmit, left: watchLine(reply) }
}

function watchLine({ raw }: FastifyReply): AbortSignal {
  const line = new AbortController()
  raw.once('close', () => line.abort())
  return line.signal
}

/** One flat object of params, query and body, each by its own strict schema: undeclared entries are refused. */
function parseInput({ params, query, body }: Definition, request: FastifyRequest): Record<string, unknown> {
  const problems: FieldProblem[] = []
  const missing = new Set<FieldProblem>()
  const seenDate = request.headers[seenDateHeader.toLowerCase()]
  const part = (schema: v.GenericSchema | undefined, given: unknown, what: string): object => {
    const value = withSeenDate(schema, given, seenDate)
    // A list without entries would pass for an object without fields.
    if (Array.isArray(value)) {
      problems.push({ path: what, message: 'Send an object, not a list.' })
      return {}
    }
    if (!schema) {
      if (isEmpty(value)) return {}
      problems.push({ path: what, message: `This call accepts no ${what}.` })
      return {}
    }
    // One problem per field: the first rule that it breaks.
    const parsed = v.safeParse(schema, value, { abortPipeEarly: true })
    if (parsed.success) return parsed.output as object
    for (const issue of parsed.issues) {
      const problem = { path: v.getDotPath(issue) ?? what, message: issue.message }
      problems.push(problem)
      // Beside a field a form says it in words for people; a program that left it out reads its name.
      if (issue.input === undefined) missing.add(problem)
    }
    return {}
  }
  const input = {
    ...part(params, request.params, 'path'),
    ...part(query, request.query, 'query'),
    ...part(body, request.body, 'body'),
  }
  const [first] = problems
  if (first) throw new Refusal(400, 'INVALID', missing.has(first) ? needed : first.message, problems)
  return input
}

/** The state that a change was made on comes as a header; pages of earlier versions send it among the properties. */
function withSeenDate(schema: v.GenericSchema | undefined, value: unknown, seenDate: unknown): unknown {
  const { entries } = (schema ?? {}) as { readonly entries?: object }
  if (seenDate === undefined || !entries || !('seenUpdatedDate' in entries)) return value
  return typeof value === 'object' || value === undefined ? { seenUpdatedDate: seenDate, ...value } : value
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** Only what the answer's schema declares goes out; a list that was paged tells its total. */
function envelope({ definition }: Endpoint, answer: unknown): { data: unknown; total?: number } {
  const { answer: schema, sortable } = definition
  if (!schema) return { data: null }
  if (!sortable) return { data: v.parse(schema, answer) }
  const { rows, total } = answer as { rows: unknown; total?: number }
  return { data: v.parse(schema, rows), ...(total === undefined ? {} : { total }) }
}
