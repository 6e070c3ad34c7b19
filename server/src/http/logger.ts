import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import type { Settings } from '../settings/settings.ts'

/** A request is logged as method, path without query, and outcome. Values under these names never are. */
export function createLogger(settings: Settings): FastifyBaseLogger {
  return pino({
    level: settings.logLevel,
    redact: {
      paths: ['*.password', '*.token', '*.accessToken', '*.refreshToken', '*.code', '*.session', 'headers'],
      censor: '[removed]',
    },
  })
}
