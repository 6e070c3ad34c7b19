import type { Transaction } from 'kysely'
import type { Tables } from '../tables/index.ts'

export interface Batch<Position> {
  /** Behind which row the next one goes on. */
  readonly position: Position
  /** How many rows were looked at; fewer than asked for when there are no more. */
  readonly rows: number
}

/**
 * Rows of before that a migration could not fill in without keeping a table from everybody. The migration expands (a
 * column or a table, and a trigger that fills in what is written from now on, also by servers of the version before),
 * and adds a row to `back_fills`. A job does the rest (`fillBack`), and in the end takes away what only earlier servers
 * use, once none is there any more. What they need to be right goes with a migration of a later version, which has
 * `-contract-` in its name.
 */
export interface BackFill<Position> {
  /** Of the migration that it belongs to. */
  readonly name: string
  /**
   * Fills in the next rows in an order of their own, and locks none that somebody else may wait for beyond the end of
   * the transaction.
   */
  fill(trx: Transaction<Tables>, position: Position | undefined, size: number): Promise<Batch<Position> | undefined>
  /** Statements that may be repeated, outside of a transaction on PostgreSQL. */
  listRemovals(isAlone: boolean): readonly string[]
}

/** Each knows its own position, which has gone through the database as JSON. */
export interface AnyBackFill extends Omit<BackFill<unknown>, 'fill'> {
  // As a method it takes what only it gives out.
  fill(trx: Transaction<Tables>, position: never, size: number): Promise<Batch<unknown> | undefined>
}
