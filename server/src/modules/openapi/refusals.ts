import { errorCodes, type ErrorCodeMeaning } from '../../core/errorCodes.ts'
import { limitsByCall, limitsByRoute, type Limit } from '../../core/rateLimits.ts'
import { refer, type Json } from './schemas.ts'

/** How calls are refused, and how often they may be made. */

export const errorSchemas: Json = {
  ErrorCode: {
    type: 'string',
    enum: Object.keys(errorCodes).sort(),
    description: 'The list is closed. x-error-codes says of each its statuses, what it means, and what helps.',
  },
  Problem: {
    type: 'object',
    required: ['code', 'message', 'requestId'],
    properties: {
      code: refer('schemas', 'ErrorCode'),
      message: { type: 'string', description: 'For a person, in the language that Accept-Language asks for.' },
      requestId: { type: 'string', description: 'For the operator, who finds it in the log.' },
      fields: {
        type: 'array',
        description: 'Each property that breaks a rule.',
        items: {
          type: 'object',
          required: ['path', 'message'],
          properties: { path: { type: 'string' }, message: { type: 'string' } },
        },
      },
    },
    examples: [
      {
        code: 'INVALID',
        message: 'email: This is needed.',
        requestId: '5f2c1d0e8a7b4c39',
        fields: [{ path: 'email', message: 'This field is required!' }],
      },
    ],
  },
}

const problem = { content: { 'application/json': { schema: refer('schemas', 'Problem') } } }
const wait = { 'Retry-After': refer('headers', 'RetryAfter') }

export const headers: Json = {
  RetryAfter: {
    description: 'Seconds to wait before the same is sent again.',
    schema: { type: 'integer', minimum: 1 },
  },
}

export const responses: Json = {
  Problem: { description: 'Refused: the code says why to a program, the message to a person.', ...problem },
  NotSignedIn: {
    description: 'Nothing that opens this was shown, or it does not count any more.',
    headers: { 'WWW-Authenticate': { description: 'The schemes that are taken.', schema: { type: 'string' } } },
    ...problem,
  },
  TooMany: { description: 'Too many requests: SLOW_DOWN.', headers: wait, ...problem },
  NotReady: { description: 'Not now, or not here: 503 and 507 say when to try again.', headers: wait, ...problem },
  NoRoom: { description: 'The disk or the store is full: NO_ROOM or STORE_FULL.', headers: wait, ...problem },
}

const namesByStatus: Readonly<Record<number, string>> = {
  401: 'NotSignedIn',
  429: 'TooMany',
  503: 'NotReady',
  507: 'NoRoom',
}

/** What any call may answer; statuses of their own are said beside it. */
export const refuseAny = (): Json => ({
  '4XX': refer('responses', 'Problem'),
  ...refuse(429),
  '5XX': refer('responses', 'NotReady'),
})

export const refuse = (...statuses: readonly number[]): Json =>
  Object.fromEntries(statuses.map((status) => [status, refer('responses', namesByStatus[status] ?? 'Problem')]))

/** Every code with its statuses, what it means, and what helps. */
export const describeCodes = (): readonly (readonly [string, ErrorCodeMeaning])[] =>
  Object.entries<ErrorCodeMeaning>(errorCodes).sort(([a], [b]) => (a < b ? -1 : 1))

const formatTime = (seconds: number): string => {
  if (seconds === 60) return 'a minute'
  if (seconds === 3600) return 'an hour'
  return `in ${seconds / 60} minutes`
}
const formatLimit = ({ calls, seconds, per }: Limit): string =>
  `${calls.toLocaleString('en')} ${formatTime(seconds)} per ${per === 'viewer' ? 'user or API token' : 'address'}`

export const formatLimits = (limits: readonly Limit[]): string => limits.map(formatLimit).join('; ')

/** The limits of a call or a route, for a person and for a program. */
export function describeLimits(name: string): { readonly sentence: string; readonly extension: Json } {
  const ofRoutes: Readonly<Record<string, readonly Limit[]>> = limitsByRoute
  const limits = limitsByCall[name] ?? ofRoutes[name]
  if (!limits) return { sentence: '', extension: {} }
  return { sentence: ` At most ${formatLimits(limits)}.`, extension: { 'x-rate-limits': limits } }
}
