import { limits } from '@dmp/contract'
import { sql } from 'kysely'

/** Archives of organizations that are over, after some days; then what is left of them. */
export const forgetExports = [
  sql`update organization_exports set state = 'Expired' where state = 'Ready' and expires_date <= now()`,
  ...(['addresses', 'parts', 'pieces'] as const).map(
    (what) => sql`delete from ${sql.table(`organization_export_${what}`)} x using organization_exports e
      where e.id = x.export_id and e.state in ('Failed', 'Ended', 'Expired')`,
  ),
  sql`delete from organization_export_addresses where expires_date < now() - interval '1 day'`,
  sql`delete from organization_imports where state not in ('Uploading', 'Waiting', 'Running')
    and created_date < now() - make_interval(days => ${limits.inboxDays})`,
  sql`delete from organization_exports where state in ('Failed', 'Ended', 'Expired')
    and created_date < now() - make_interval(days => ${limits.inboxDays})`,
]
