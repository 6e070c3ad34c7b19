import { sql, type Expression, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import { limits, type Listing } from '@dmp/contract'

/** The input of every server-paged list (docs/decisions/0002-the-wire.md). */
export interface ListInput<Field extends string = string> {
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
  readonly search?: string | undefined
  readonly sort?: Field | undefined
  readonly direction?: 'asc' | 'desc' | undefined
  readonly timeZone?: string | undefined
}

export interface ListRules<Field extends string> {
  /** The text that the cells show: the search looks at all of it. */
  readonly shown: readonly Expression<string | null>[]
  /** The sort key of each field: text without regard to case, anything else as it is. */
  readonly sorts: Readonly<Record<Field, Expression<unknown>>>
  /** The order where none is asked for; also decides among equals, so it ends with something unique. */
  readonly otherwise: readonly RawBuilder<unknown>[]
}

/** Sorts text without regard to case (5.19), the same on every database. */
export const text = (expression: Expression<string | null> | RawBuilder<string>): RawBuilder<string> =>
  sql<string>`lower(coalesce(${expression}, '')) collate "C"`

/** A date as the viewer's page shows it and a search finds it: 2026-11-21, in the viewer's days. */
export const day = (expression: Expression<Date>, { timeZone = 'UTC' }: ListInput): RawBuilder<string> =>
  sql<string>`to_char(${expression} at time zone ${timeZone}::text, 'YYYY-MM-DD')`

/** More rows at once than a page shows leave the product: who took them is recorded (P24). */
export const isExport = ({ page, pageSize }: ListInput, shown: readonly number[] = limits.pageSizes): boolean =>
  (page === undefined && pageSize === undefined) || (pageSize ?? 0) > Math.max(...shown)

/**
 * Searches, sorts and pages a query with the rules of 5.19. Without `page` and `pageSize` it returns everything and no
 * total.
 *
 * @example
 * return listed(rows, input, { shown: [sql.ref('users.email')], sorts: { email: text(sql.ref('users.email')) },
 * otherwise: [sql`users.id`] })
 */
export async function listed<DB, TB extends keyof DB, Row, Field extends string>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { page, pageSize, search: typed, sort, direction }: ListInput<Field>,
  { shown, sorts, otherwise }: ListRules<Field>,
): Promise<Listing<Row>> {
  // What is copied from a mail often brings blanks along.
  const search = typed?.trim()
  const matches = search
    ? query.where(
        sql<boolean>`(${sql.join(
          shown.map((cell) => sql`strpos(lower(${cell}), lower(${search}::text)) > 0`),
          sql` or `,
        )})`,
      )
    : query
  const requestedOrder = sort ? [sql`${sorts[sort]} ${direction === 'desc' ? sql`desc` : sql`asc`}`] : []
  const ordered = [...requestedOrder, ...otherwise].reduce((all, by) => all.orderBy(by), matches)
  if (page === undefined && pageSize === undefined) return { rows: await ordered.execute() }
  const size = pageSize ?? limits.defaultPageSize
  const [rows, { total }] = await Promise.all([
    ordered
      .limit(size)
      .offset(((page ?? 1) - 1) * size)
      .execute(),
    matches
      .clearSelect()
      .select(sql<number>`count(*)::int`.as('total'))
      .$castTo<{ total: number }>()
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total }
}
