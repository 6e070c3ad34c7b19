import { limits, type scan } from '@dmp/contract'
import type { Selectable } from 'kysely'
import { refuseUniqueViolation } from '../../../db/uniqueViolation.ts'
import type { Handler } from '../../../core/handlers.ts'
import { notFound, Refusal } from '../../../core/errors.ts'
import type { Dependencies } from '../../../dependencies.ts'
import type { ScanFilterTable } from '../../../db/tables/scan.ts'

interface SavedFilterHandlers {
  readonly listFilters: Handler<typeof scan.listFilters>
  readonly addFilter: Handler<typeof scan.addFilter>
  readonly renameFilter: Handler<typeof scan.renameFilter>
  readonly removeFilter: Handler<typeof scan.removeFilter>
}

/** Searches of the scan list that a user keeps; no other user sees or changes them. */
export const savedFilterHandlers = (deps: Dependencies): SavedFilterHandlers => ({
  listFilters: async (_input, { viewer }) => {
    const rows = await deps.db
      .selectFrom('scan_filters')
      .selectAll()
      .where('user_id', '=', viewer.userId)
      .orderBy('name')
      .orderBy('id')
      .execute()
    return rows.map(toFilter)
  },
  addFilter: addFilterHandler(deps),
  renameFilter: renameFilterHandler(deps),
  removeFilter: removeFilterHandler(deps),
})

const toFilter = ({ id, name, search, sort_column, sort_direction }: Selectable<ScanFilterTable>): scan.ScanFilter => ({
  id,
  name,
  search,
  sortColumn: sort_column,
  sortDirection: sort_direction,
})

const refuseName = (code: string, sentence: string): Refusal =>
  new Refusal(409, code, sentence, [{ path: 'name', message: sentence }])
const nameTaken = (): Refusal => refuseName('NAME_TAKEN', 'You already have a filter with this name.')

// The search may be a patient's name: the record says that a filter was saved, not what it finds (P23).
const addFilterHandler =
  (deps: Dependencies): Handler<typeof scan.addFilter> =>
  ({ name, search, sortColumn, sortDirection }, context) =>
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
          .values({ user_id: userId, name, search, sort_column: sortColumn, sort_direction: sortDirection })
          .returningAll()
          .executeTakeFirstOrThrow(),
      )
      await audit({ event: 'PreferencesChanged', subject: { userId, filterId: row.id, change: 'added' } })
      return toFilter(row)
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
      return toFilter(row)
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
