import { createHash } from 'node:crypto'
import type { email } from '@dmp/contract'
import type { Handlers } from '../../core/handlers.ts'
import type { Dependencies } from '../../dependencies.ts'
import { scrubReport } from './scrubReport.ts'

/** 7.39: stores an error report as an audit row and a log line. Equal traces share a fingerprint. */
export const emailHandlers = ({ write, log }: Dependencies): Handlers<typeof email> => ({
  sendApplicationError: async ({ applicationName, applicationComponent, version, stackTrace }, context) => {
    const trace = scrubReport(stackTrace, 2000)
    const fingerprint = createHash('sha256').update(trace.replace(/\d+/g, '0')).digest('hex').slice(0, 16)
    const subject = {
      fingerprint,
      applicationName: scrubReport(applicationName, 100),
      applicationComponent: scrubReport(applicationComponent, 200),
      version: scrubReport(version, 100),
      stackTrace: trace,
    }
    await write(context, ({ audit }) => audit({ event: 'ApplicationErrorReported', subject }))
    log.warn({ ...subject, requestId: context.request.id }, 'application error')
    return null
  },
})
