import { sql, type Kysely } from 'kysely'

/**
 * What the pictures of complaints take of an organization's room. A trigger keeps it, so that servers of the version
 * before count as well; it is locked by whoever adds a picture, so that two at once cannot both take the last room.
 */
const statements = [
  `create table complaint_picture_totals (
    organization_id uuid primary key references organizations on delete cascade,
    byte_size bigint not null)`,
  `create function count_complaint_picture() returns trigger language plpgsql as $$
  begin
    insert into complaint_picture_totals (organization_id, byte_size)
      select organization_id, octet_length(new.content) from complaints where id = new.complaint_id
      on conflict (organization_id) do update
        set byte_size = complaint_picture_totals.byte_size + excluded.byte_size;
    return null;
  end $$`,
  `create trigger count_complaint_picture after insert on complaint_images
    for each row execute function count_complaint_picture()`,
  // The trigger waits for servers that are adding one, so that none is missed and none is counted twice.
  `insert into complaint_picture_totals (organization_id, byte_size)
    select complaints.organization_id, sum(octet_length(complaint_images.content))
    from complaint_images join complaints on complaints.id = complaint_images.complaint_id
    group by complaints.organization_id`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
