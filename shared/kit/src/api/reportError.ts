import { sendApplicationError } from '@dmp/contract/email'
import { session } from '../session/session.ts'
import { settings } from '../settings.ts'
import { request } from '../transport/request.ts'

const maxReportsPerHour = 5
const hourMs = 3_600_000
const maxTraceChars = 8000
const reportTimes = new Map<string, number>()

/**
 * Removes everything that could identify a person, a host or a key: only code locations and kinds of error may leave
 * the page (P23).
 */
export function scrub(text: string): string {
  return (
    text
      .replace(/eyJ[\w-]*(?:\.[\w-]*)*/g, '[token]')
      .replace(/\b(?:https?|wss?):\/\/[^/\s)]+/g, '')
      .replace(/\?[^\s:)]*/g, '?…')
      .replace(/(?<![\w.+-])[\w.+-]+@[\w.-]+/g, '[email]')
      .replace(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '[id]')
      .replace(/\b\d+(?:\.\d+){4,}\b/g, '[uid]')
      .replace(/[A-Za-z0-9_-]{32,}/g, '[key]')
      // Quoted text; without a closing quote, the rest of the line. The apostrophe in “can't” is not a quote.
      .replace(/"[^"\n]*"?|(?<!\w)'[^'\n]*'?|“[^”\n]*”?/g, '[text]')
      .slice(0, maxTraceChars)
  )
}

/**
 * Sends an application-error report (7.39, 3.17) while the access token is valid, and otherwise only logs. Equal
 * errors are
 * reported once, and only a few per hour.
 *
 * @example reportError(error, 'remote-scan/detail')
 */
export function reportError(error: unknown, applicationComponent: string): void {
  console.error(`[${applicationComponent}]`, error)
  const stackTrace = scrub(error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error))
  const { tokens } = session.get()
  if (!tokens || !session.isValid() || !mayReport(`${applicationComponent}\n${stackTrace}`)) return
  const { applicationName, productVersion } = settings()
  const report = {
    applicationName,
    applicationComponent: applicationComponent.slice(0, 200),
    version: productVersion,
    stackTrace,
  }
  request(sendApplicationError, report, { accessToken: tokens.accessToken }).catch(() =>
    console.warn('The error could not be reported.'),
  )
}

function mayReport(trace: string, now: number = Date.now()): boolean {
  for (const [fingerprint, at] of reportTimes) if (now - at > hourMs) reportTimes.delete(fingerprint)
  if (reportTimes.has(trace) || reportTimes.size >= maxReportsPerHour) return false
  reportTimes.set(trace, now)
  return true
}
