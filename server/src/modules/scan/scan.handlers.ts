import type { scan } from '@dmp/contract'
import type { FastifyInstance } from 'fastify'
import type { Handlers } from '../../core/handlers.ts'
import type { Dependencies } from '../../dependencies.ts'
import { conflictHandlers } from './conflicts/conflicts.handlers.ts'
import { findStoredConflicts } from './conflicts/findStoredConflicts.ts'
import { binHandlers } from './deletion/bin.handlers.ts'
import { deleteHandler } from './deletion/deletion.handlers.ts'
import { holdHandlers } from './deletion/holds.handlers.ts'
import { startPurging } from './deletion/purging.ts'
import { destinationHandlers } from './transfer/destinations.ts'
import { downloadHandler, registerDownloads } from './download/download.handlers.ts'
import { savedFilterHandlers } from './reading/savedFilters.ts'
import { heldHandlers } from './held/held.handlers.ts'
import { publicShareHandlers } from './sharing/publicShare.ts'
import { figureHandlers } from './reading/figures.handlers.ts'
import { readingHandlers } from './reading/reading.handlers.ts'
import { sampleHandlers } from './sample/sample.handlers.ts'
import { sharingHandlers } from './sharing/sharing.handlers.ts'
import { transferHandlers } from './transfer/transfer.handlers.ts'
import { startTransfers } from './transfer/transferRunner.ts'
import { registerUploaderDownload, uploaderHandler } from './download/uploaderDownload.ts'

/** Every call of the contract's scan module (7.38). */
export const scanHandlers = (deps: Dependencies): Handlers<typeof scan> => ({
  ...readingHandlers(deps),
  ...figureHandlers(deps),
  ...sharingHandlers(deps),
  ...publicShareHandlers(deps),
  ...destinationHandlers(deps),
  ...savedFilterHandlers(deps),
  ...transferHandlers(deps),
  ...conflictHandlers(deps),
  ...heldHandlers(deps),
  ...sampleHandlers(deps),
  ...binHandlers(deps),
  ...holdHandlers(deps),
  download: downloadHandler(deps),
  remove: deleteHandler(deps),
  getUploader: uploaderHandler(deps),
})

/** Routes of scans beyond the contract's calls (downloads), and the work behind transfers. */
export function registerScanRoutes(app: FastifyInstance, deps: Dependencies): void {
  registerDownloads(app, deps)
  registerUploaderDownload(app, deps)
  app.addHook('onReady', () => startTransfers(deps))
  app.addHook('onReady', async () => deps.background(findStoredConflicts(deps)))
  app.addHook('onReady', async () => {
    const purging = startPurging(deps)
    app.addHook('preClose', () => purging.close())
  })
}
