import { sql, type Kysely } from 'kysely'

/**
 * Whose turn it is with a transfer, and when a mail is tried again, is known by the job library, which keeps a schema
 * of its own.
 */
const statements = [
  `drop index transfers_waiting`,
  `alter table transfers drop column claimed_until`,
  `create index transfers_unfinished on transfers (created_date) where state in ('Queued', 'Running')`,
  `drop index mails_waiting`,
  `alter table mails drop column tries, drop column next_try_date`,
  `create index mails_unsent on mails (created_date) where sent_date is null`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
