import type { scan } from '@dmp/contract'
import type { FastifyInstance } from 'fastify'
import type { Handlers } from '../../http/implement.ts'
import type { Parts } from '../../parts.ts'
import { removeHandler } from './deletion.ts'
import { destinations } from './destinations.ts'
import { downloadHandler, registerDownloads } from './download.ts'
import { filters } from './filters.ts'
import { openShares } from './openShares.ts'
import { scanReading } from './scan.reading.ts'
import { sharing } from './sharing.ts'
import { transfers } from './transfer.ts'
import { workTransfers } from './transferRunner.ts'
import { registerUploaderDownload, uploaderHandler } from './uploaderDownload.ts'

/** Every call of the contract's scan module (7.38). */
export const scanHandlers = (parts: Parts): Handlers<typeof scan> => ({
  ...scanReading(parts),
  ...sharing(parts),
  ...openShares(parts),
  ...destinations(parts),
  ...filters(parts),
  ...transfers(parts),
  download: downloadHandler(parts),
  remove: removeHandler(parts),
  getUploader: uploaderHandler(parts),
})

/** What scans answer besides the contract's calls: downloads, and the work behind transfers. */
export function registerScanPages(app: FastifyInstance, parts: Parts): void {
  registerDownloads(app, parts)
  registerUploaderDownload(app, parts)
  app.addHook('onReady', () => workTransfers(parts))
}
