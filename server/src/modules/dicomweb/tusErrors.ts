import type { FastifyBaseLogger } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import { diskFull, isDiskFull, logCause } from '../../http/errorResponses.ts'
import { ObjectStoreError } from '../../outside/objectStore.ts'
import { toStoreRefusal } from './storeRefusal.ts'
import { wrongType } from './tusRequests.ts'

/** What was thrown before the library of the protocol had the request. */
export function toTusRefusal(error: unknown): unknown {
  if (error instanceof ObjectStoreError) return toStoreRefusal(error)
  return (error as { code?: unknown }).code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? wrongType() : error
}

/** And what it makes of what was thrown while it had it. */
export function toUploadError(
  log: FastifyBaseLogger,
  error: Error | { status_code: number; body: string },
): { status_code: number; body: string } {
  if (error instanceof ObjectStoreError || error instanceof Refusal) {
    const refusal = error instanceof Refusal ? error : toStoreRefusal(error)
    logCause(log, refusal)
    return { status_code: refusal.status, body: refusal.message }
  }
  if (isDiskFull(error)) return { status_code: diskFull().status, body: diskFull().message }
  // Errors of the tus protocol are meant for the sender; any other is not.
  if ('status_code' in error) return { status_code: error.status_code, body: 'body' in error ? error.body : '' }
  log.error({ reason: error.message }, 'an upload failed')
  return { status_code: 500, body: 'Something went wrong. Please try again later.' }
}
