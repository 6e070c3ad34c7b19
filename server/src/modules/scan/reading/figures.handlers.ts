import type { scan } from '@dmp/contract'
import type { Handler } from '../../../core/handlers.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { getDatastore } from '../scan.repository.ts'
import { countShares, getArrivals, getStorage } from './figures.repository.ts'

interface FigureHandlers {
  readonly getArrivals: Handler<typeof scan.getArrivals>
  readonly countShares: Handler<typeof scan.countShares>
  readonly getStorage: Handler<typeof scan.getStorage>
}

/** The figures of the dashboard: they count, and name nobody. */
export const figureHandlers = ({ db, settings }: Pick<Dependencies, 'db' | 'settings'>): FigureHandlers => ({
  getArrivals: async ({ organizationId, timeZone }, { viewer }) =>
    getArrivals(db, await getDatastore(db, viewer, organizationId), timeZone),
  countShares: async ({ organizationId }, { viewer }) =>
    countShares(db, await getDatastore(db, viewer, organizationId)),
  getStorage: async ({ organizationId }, { viewer }) =>
    getStorage(db, settings, await getDatastore(db, viewer, organizationId)),
})
