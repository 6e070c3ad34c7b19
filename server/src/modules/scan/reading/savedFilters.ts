import { limits, scan } from '@dmp/contract'
import type { Selectable } from 'kysely'
import { refuseUniqueViolation } from '../../../db/uniqueViolation.ts'
import type { Viewer } from '../../../core/context.ts'
import type { Handler } from '../../../core/handlers.ts'
import { notFound, Refusal } from '../../../core/errors.ts'
import type { ErrorCode } from '../../../core/errorCodes.ts'
import type { Dependencies } from '../../../dependencies.ts'
import type { ScanFilterTable } from '../../../db/tables/scan.ts'

interface SavedFilterHandlers {
  readonly listFilters: Handler<typeof scan.listFilters>
  readonly addFilter: Handler<typeof scan.addFilter>
  readonly renameFilter: Handler<typeof scan.renameFilter>
  readonly removeFilter: Handler<typeof scan.removeFilter>
}

/** Searches that a user keeps. Nobody else changes them, and others of the organization see only what is shared. */
export const savedFilterHandlers = (deps: Dependencies): SavedFilterHandlers => ({
  listFilters: async ({ place = 'scan' }, { viewer }) => {
    const rows = await deps.db
      .selectFrom('scan_filters')
      .innerJoin('users', 'users.id', 'scan_filters.user_id')
      .selectAll('scan_filters')
      .where('place', '=', place)
      .where((where) =>
        where.or([
          where('user_id', '=', viewer.userId),
          where.and([
            // A view of a list says what stands in it.
            where.val(mayList(viewer, place)),
            where('is_shared', '=', true),
            where('users.organization_id', '=', viewer.organizationId),
          ]),
        ]),
      )
      .orderBy('scan_filters.name')
      .orderBy('scan_filters.id')
      .limit(maxListed)
      .execute()
    return rows.map((row) => toFilter(row, viewer.userId))
  },
  addFilter: addFilterHandler(deps),
  renameFilter: renameFilterHandler(deps),
  removeFilter: removeFilterHandler(deps),
})

const mayList = ({ policy }: Viewer, place: scan.ViewPlace): boolean =>
  policy.some(({ module, actions }) => module === scan.viewPlaces[place] && actions.includes('List'))

/** Own filters have a limit, and shared ones are shown up to this many. */
const maxListed = 500

const toFilter = (row: Selectable<ScanFilterTable>, userId: string): scan.ScanFilter => ({
  id: row.id,
  name: row.name,
  search: row.search,
  sortColumn: row.sort_column,
  sortDirection: row.sort_direction,
  ...(row.place !== 'scan' ? { query: row.query, isShared: row.is_shared, isOwn: row.user_id === userId } : {}),
})

const refuseName = (code: ErrorCode, sentence: string): Refusal =>
  new Refusal(409, code, sentence, [{ path: 'name', message: sentence }])
const nameTaken = (): Refusal => refuseName('NAME_TAKEN', 'You already have a filter with this name.')

// The search may be a patient's name: the record says that a filter was saved, not what it finds (P23).
const addFilterHandler =
  (deps: Dependencies): Handler<typeof scan.addFilter> =>
  ({ name, search, sortColumn, sortDirection, place = 'scan', query = '', isShared = false }, context) =>
    deps.write(context, async ({ trx, audit }) => {
      const { userId } = context.viewer
      const { count } = await trx
        .selectFrom('scan_filters')
        .select((select) => select.fn.countAll<string>().as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      if (Number(count) >= limits.filtersPerUser)
        throw refuseName('TOO_MANY_FILTERS', `You have ${limits.filtersPerUser} filters. Delete one first.`)
      const row = await refuseUniqueViolation(
        'scan_filters_name',
        nameTaken,
        trx
          .insertInto('scan_filters')
          .values({
            user_id: userId,
            name,
            search,
            sort_column: sortColumn,
            sort_direction: sortDirection,
            place,
            query,
            is_shared: isShared && place !== 'scan',
          })
          .returningAll()
          .executeTakeFirstOrThrow(),
      )
      await audit({ event: 'PreferencesChanged', subject: { userId, filterId: row.id, change: 'added' } })
      return toFilter(row, userId)
    })

const renameFilterHandler =
  (deps: Dependencies): Handler<typeof scan.renameFilter> =>
  ({ id, name }, context) =>
    deps.write(context, async ({ trx, audit }) => {
      const { userId } = context.viewer
      const row = await refuseUniqueViolation(
        'scan_filters_name',
        nameTaken,
        trx
          .updateTable('scan_filters')
          .set({ name })
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .returningAll()
          .executeTakeFirst(),
      )
      if (!row) throw notFound()
      await audit({ event: 'PreferencesChanged', subject: { userId, filterId: id, change: 'renamed' } })
      return toFilter(row, userId)
    })

const removeFilterHandler =
  (deps: Dependencies): Handler<typeof scan.removeFilter> =>
  ({ id }, context) =>
    deps.write(context, async ({ trx, audit }) => {
      const { userId } = context.viewer
      const row = await trx
        .deleteFrom('scan_filters')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .returning('id')
        .executeTakeFirst()
      if (!row) throw notFound()
      await audit({ event: 'PreferencesChanged', subject: { userId, filterId: id, change: 'removed' } })
      return null
    })
