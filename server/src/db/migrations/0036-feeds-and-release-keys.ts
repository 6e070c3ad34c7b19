import { sql, type Kysely } from 'kysely'

/**
 * The latest time that a feed has reached up to each change, so that the first change from a time on is looked up: the
 * time of the change itself does not grow with the numbers where a clock was set back. A trigger keeps it, so that
 * servers of the version before write it as well.
 *
 * And how far this platform has seen the release keys of each part, so that whoever writes to the release store cannot
 * make it forget them.
 */
const statements = [
  `alter table changes add column reached_date timestamptz`,
  `update changes set reached_date = reached.date from (
    select organization_id, number, max(created_date) over (partition by organization_id order by number) as date
    from changes) reached
    where reached.organization_id = changes.organization_id and reached.number = changes.number`,
  `create function keep_reached_date() returns trigger language plpgsql as $$
  begin
    new.reached_date := greatest(new.created_date, (select reached_date from changes
      where organization_id = new.organization_id and number < new.number order by number desc limit 1));
    return new;
  end $$`,
  `create trigger keep_reached_date before insert on changes for each row execute function keep_reached_date()`,
  `create index changes_reached on changes (organization_id, reached_date, number)`,
  `create table seen_release_keys (
    part text primary key,
    changes int not null,
    head text not null,
    seen_date timestamptz not null default now())`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
