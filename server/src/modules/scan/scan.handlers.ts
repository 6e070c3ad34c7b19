import type { scan } from '@dmp/contract'
import type { FastifyInstance } from 'fastify'
import type { Handlers } from '../../core/handlers.ts'
import type { Dependencies } from '../../dependencies.ts'
import { deleteHandler } from './deletion/deletion.ts'
import { destinationHandlers } from './transfer/destinations.ts'
import { downloadHandler, registerDownloads } from './download/download.ts'
import { savedFilterHandlers } from './reading/savedFilters.ts'
import { publicShareHandlers } from './sharing/publicShare.ts'
import { readingHandlers } from './reading/scan.reading.ts'
import { shareHandlers } from './sharing/sharing.ts'
import { transferHandlers } from './transfer/transfer.ts'
import { workTransfers } from './transfer/transferRunner.ts'
import { registerUploaderDownload, uploaderHandler } from './download/uploaderDownload.ts'

/** Every call of the contract's scan module (7.38). */
export const scanHandlers = (deps: Dependencies): Handlers<typeof scan> => ({
  ...readingHandlers(deps),
  ...shareHandlers(deps),
  ...publicShareHandlers(deps),
  ...destinationHandlers(deps),
  ...savedFilterHandlers(deps),
  ...transferHandlers(deps),
  download: downloadHandler(deps),
  remove: deleteHandler(deps),
  getUploader: uploaderHandler(deps),
})

/** What scans answer besides the contract's calls: downloads, and the work behind transfers. */
export function registerScanPages(app: FastifyInstance, deps: Dependencies): void {
  registerDownloads(app, deps)
  registerUploaderDownload(app, deps)
  app.addHook('onReady', () => workTransfers(deps))
}
