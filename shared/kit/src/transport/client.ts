import ky, { isHTTPError } from 'ky'
import { toCallError, toFailure } from './failures.ts'

// Why ky does not retry: docs/decisions/0037-http-client.md.
/** Sends requests. Comes behind the first drawing, or with the first request that the page has not made already. */
export const client = ky.create({
  headers: { 'Content-Type': 'application/json; charset=UTF-8', Accept: 'application/json' },
  credentials: 'include',
  retry: 0,
  // Without a retry, ky hands over a request.
  fetch: (input) => fetch(input as Request),
  hooks: {
    beforeError: [({ error }) => (isHTTPError(error) ? toCallError(error.response, error.data) : toFailure(error))],
  },
})
