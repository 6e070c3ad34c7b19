import type * as v from 'valibot'

/**
 * Names of the policy modules (the five of clause 6.03, Audit, Release, ApiToken, Webhook, DicomPartner and
 * Station) and the actions that a policy may list for each.
 */
export const policyActions = {
  Complaint: ['List', 'Get', 'Add', 'ListStatuses', 'ListSeverities', 'ListTypes', 'UpdateStatus', 'UpdateSeverity'],
  Organization: [
    'List',
    'ListActivated',
    'Get',
    'Update',
    'Activate',
    'DeActivate',
    'CreateDatastore',
    'AssignLicenses',
    'ListLicenses',
    'Add',
    'Export',
    'Import',
  ],
  Registration: ['List', 'Get', 'Approve', 'Reject'],
  Scan: [
    'List',
    'Get',
    'Upload',
    'Transfer',
    'Share',
    'Download',
    'Delete',
    'ListConflicts',
    'SettleConflict',
    'AddSample',
    'ListBin',
    'Restore',
    'Hold',
  ],
  BusinessUser: [
    'List',
    'Get',
    'Add',
    'Update',
    'Activate',
    'DeActivate',
    'ListAddUserRoles',
    'ResetTemporaryPassword',
    'SendUpdatedTermsOfUse',
  ],
  Audit: ['List', 'Get', 'Export', 'Check'],
  Release: ['List', 'Update', 'Watch', 'Get', 'Publish', 'Canary', 'Activate', 'Rollback', 'Uncheck', 'Preview'],
  ApiToken: ['List', 'Get', 'Add', 'End'],
  Webhook: ['List', 'Get', 'Add', 'Update', 'Delete'],
  DicomPartner: ['List', 'Get', 'Add', 'Update', 'Delete'],
  Station: ['List', 'Delete'],
} as const

export type ModuleName = keyof typeof policyActions
export type ActionOf<M extends ModuleName> = (typeof policyActions)[M][number]

/** One module/action pair that the caller's policy must list (clause 6.02). */
export type Permission = { [M in ModuleName]: { readonly module: M; readonly action: ActionOf<M> } }[ModuleName]

/** Who may make a call: everyone, every signed-in user, or those whose policy lists the permission. */
export type Needs = 'nothing' | 'session' | Permission

/** A policy as part of the profile (3.04). */
export type Policy = ReadonlyArray<{ readonly module: string; readonly actions: readonly string[] }>

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

type ObjectSchema = v.StrictObjectSchema<v.ObjectEntries, v.ErrorMessage<v.StrictObjectIssue>>
// A body may carry cross-field rules, so it can be a pipe whose root is an object.
type BodySchema = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>

export interface Definition {
  readonly method: Method
  /** Below the API root; `:name` marks a parameter. Matched without regard to case. */
  readonly path: string
  /** One sentence for the API document. */
  readonly summary: string
  readonly needs: Needs
  readonly params?: ObjectSchema
  readonly query?: ObjectSchema
  readonly body?: BodySchema
  /** The schema of `data` in the reply; leave it out for calls that return nothing (`data` is then `null`). */
  readonly answer?: v.GenericSchema
  /**
   * The read whose answer this change returns, too, for the same values of its input: `updateStatus` returns the
   * complaint that `get` would. Clients replace their cached answer with it and do not ask again.
   */
  readonly renews?: Endpoint
  /** Present on lists that the server searches, sorts and pages: the fields that it can sort by. */
  readonly sortable?: readonly string[]
  /** Machines may make it as well, with an API token whose scopes hold the action. */
  readonly isForMachines?: true
  /** Statuses of refusals that other calls do not have. */
  readonly refusals?: readonly number[]
  /** Largest accepted request body in bytes; the server's default where absent. */
  readonly bodyLimit?: number
}

/**
 * A call as a value: client, cache keys, server routes, authorization, OpenAPI and tests are all made from it.
 *
 * @example
 * export const get = endpoint({ method: 'GET', path: '/Complaint/get', needs: may('Complaint', 'Get'), … })
 */
export interface Endpoint<D extends Definition = Definition> extends Readonly<Record<'kind', 'endpoint'>> {
  readonly definition: D
  /** Stable name of the call, `METHOD /path`. */
  readonly name: string
}

type InputOf<S> = S extends v.GenericSchema ? v.InferInput<S> : unknown
type OutputOf<S> = S extends v.GenericSchema ? v.InferOutput<S> : unknown
type Flat<T> = { [K in keyof T]: T[K] } & {}

/** The caller's input: parameters, query and body in one flat object (their keys never collide; a test proves it). */
export type Input<E> =
  E extends Endpoint<infer D> ? Flat<InputOf<D['params']> & InputOf<D['query']> & InputOf<D['body']>> : never
/** The handler's input: the same object, parsed by the schemas. */
export type Parsed<E> =
  E extends Endpoint<infer D> ? Flat<OutputOf<D['params']> & OutputOf<D['query']> & OutputOf<D['body']>> : never
/** A page of a list: `total` is absent when the server returned the whole list. */
export interface Listing<T> {
  readonly rows: readonly T[]
  readonly total?: number | undefined
}
/**
 * The answer of a call: a `Listing` where the endpoint is `sortable`, else the value of its `answer` schema, else
 * null.
 */
export type Answer<E> =
  E extends Endpoint<infer D>
    ? D['answer'] extends v.GenericSchema
      ? D['sortable'] extends readonly string[]
        ? v.InferOutput<D['answer']> extends readonly (infer Row)[]
          ? Listing<Row>
          : never
        : v.InferOutput<D['answer']>
      : null
    : never

export function endpoint<const D extends Definition>(definition: D): Endpoint<D> {
  return { kind: 'endpoint', definition, name: `${definition.method} ${definition.path}` }
}

export function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'endpoint'
}

/** The permission as a value, checked by the compiler: `may('Organization', 'DeActivate')`. */
export function may<M extends ModuleName>(module: M, action: ActionOf<M>): Permission {
  return { module, action } as unknown as Permission
}

/** Whether a policy lists the module with the action (6.02). Everything else is forbidden. */
export function permits(policy: Policy, needs: Needs): boolean {
  if (typeof needs === 'string') return true
  return policy.some((entry) => entry.module === needs.module && entry.actions.includes(needs.action))
}
