import { limits, type scan } from '@dmp/contract'
import type { Selectable } from 'kysely'
import { refuseUniqueViolation } from '../../../db/uniqueViolation.ts'
import type { Handler } from '../../../core/handlers.ts'
import { notFound, Refusal } from '../../../core/errors.ts'
import type { Dependencies } from '../../../dependencies.ts'
import type { ScanFilterTable } from '../../../db/tables/scan.ts'

interface Filters {
  readonly listFilters: Handler<typeof scan.listFilters>
  readonly addFilter: Handler<typeof scan.addFilter>
  readonly renameFilter: Handler<typeof scan.renameFilter>
  readonly removeFilter: Handler<typeof scan.removeFilter>
}

const asFilter = ({ id, name, search, sort_column, sort_direction }: Selectable<ScanFilterTable>): scan.ScanFilter => ({
  id,
  name,
  search,
  sortColumn: sort_column,
  sortDirection: sort_direction,
})

function refused(code: string, sentence: string): Refusal {
  return new Refusal(409, code, sentence, [{ path: 'name', message: sentence }])
}
const taken = (): Refusal => refused('NAME_TAKEN', 'You have a filter of this name already.')

/** Searches of the scan list that a user keeps: seen and changed by nobody else. */
export function savedFilterHandlers(deps: Dependencies): Filters {
  return {
    listFilters: async (_input, { viewer }) =>
      (
        await deps.db
          .selectFrom('scan_filters')
          .selectAll()
          .where('user_id', '=', viewer.userId)
          .orderBy('name')
          .execute()
      ).map(asFilter),

    // What is searched for may be a patient's name: that a filter was kept is recorded, not what it finds (P23).
    addFilter: async ({ name, search, sortColumn, sortDirection }, context) =>
      deps.write(context, async ({ trx, audit }) => {
        const { userId } = context.viewer
        const { count } = await trx
          .selectFrom('scan_filters')
          .select((select) => select.fn.countAll<string>().as('count'))
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow()
        if (Number(count) >= limits.filtersPerUser)
          throw refused('TOO_MANY_FILTERS', `You have ${limits.filtersPerUser} filters. Delete one first.`)
        const row = await refuseUniqueViolation(
          'scan_filters_name',
          taken,
          trx
            .insertInto('scan_filters')
            .values({ user_id: userId, name, search, sort_column: sortColumn, sort_direction: sortDirection })
            .returningAll()
            .executeTakeFirstOrThrow(),
        )
        await audit({ event: 'PreferencesChanged', subject: { userId, filterId: row.id, change: 'added' } })
        return asFilter(row)
      }),

    renameFilter: async ({ id, name }, context) =>
      deps.write(context, async ({ trx, audit }) => {
        const { userId } = context.viewer
        const row = await refuseUniqueViolation(
          'scan_filters_name',
          taken,
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
        return asFilter(row)
      }),

    removeFilter: async ({ id }, context) =>
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
      }),
  }
}
