import type { scan } from '@dmp/contract'
import type { FastifyInstance } from 'fastify'
import type { Handlers } from '../../http/routes.ts'
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
export const scanHandlers = (parts: Dependencies): Handlers<typeof scan> => ({
  ...readingHandlers(parts),
  ...shareHandlers(parts),
  ...publicShareHandlers(parts),
  ...destinationHandlers(parts),
  ...savedFilterHandlers(parts),
  ...transferHandlers(parts),
  download: downloadHandler(parts),
  remove: deleteHandler(parts),
  getUploader: uploaderHandler(parts),
})

/** What scans answer besides the contract's calls: downloads, and the work behind transfers. */
export function registerScanPages(app: FastifyInstance, parts: Dependencies): void {
  registerDownloads(app, parts)
  registerUploaderDownload(app, parts)
  app.addHook('onReady', () => workTransfers(parts))
}
