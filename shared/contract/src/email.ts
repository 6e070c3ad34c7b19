import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { atMost, exact } from './fields.ts'

const text = (most: number) =>
  v.pipe(
    v.string('Must be text.'),
    v.maxLength(most, () => atMost(most)),
  )

/** 3.17, 7.39: plain text, capped, scrubbed of names and tokens, few per hour. */
export const ApplicationError = exact({
  applicationName: text(100),
  applicationComponent: text(200),
  version: text(100),
  stackTrace: text(10_000),
})
export type ApplicationError = v.InferOutput<typeof ApplicationError>

/** 7.39: reports an error of the application. */
export const sendApplicationError = endpoint({
  method: 'POST',
  path: '/Email/sendApplicationError',
  summary: 'Report an error of the web application.',
  needs: 'session',
  body: ApplicationError,
})
