import { limits } from '@dmp/contract'
import { sql } from 'kysely'
import { forgetExports } from './exportRetention.ts'
import { forgetFacts } from './inboxFacts.ts'
import { forgetChanges } from './changes.ts'
import type { Db } from './client.ts'
import type { Settings } from '../settings/settings.ts'
import { goHourly, type Hourly } from './hourly.ts'

type RetentionSettings = Pick<Settings, 'isDemo' | 'changesDays'>

/** Rows that are over and prove nothing any more. The audit rows tell what happened; they stay. */
const rules = ({ isDemo, changesDays }: RetentionSettings) => [
  sql`delete from sessions where coalesce(ended_date, expires_date) < now() - interval '30 days'`,
  // Renewals of a session that goes on for weeks: only the last days' tokens can still be asked about.
  sql`delete from refresh_tokens where used_date < now() - interval '7 days'`,
  sql`delete from challenges where expires_date < now() - interval '1 day'`,
  sql`delete from device_codes where expires_date < now() - interval '10 minutes'`,
  sql`delete from login_attempts where updated_date < now() - interval '1 day' and (blocked_until < now() or blocked_until > now() + interval '1 day')`,
  sql`delete from release_reports where minute < now() - interval '30 days'`,
  sql`delete from served_pages where seen_date < now() - interval '30 days'`,
  sql`delete from release_rounds where created_date < now() - interval '30 days'`,
  sql`delete from release_error_people where day < (now() at time zone 'utc')::date`,
  sql`delete from release_error_counts where day < (now() at time zone 'utc')::date - 30`,
  sql`delete from release_times where day < (now() at time zone 'utc')::date - 30`,
  sql`delete from release_errors where last_date < now() - interval '30 days'`,
  sql`delete from affected_users where seen_date < now() - interval '30 days'`,
  // An older mark says nothing any more: only studies of the last days are new.
  sql`delete from opened_studies where opened_date < now() - make_interval(days => ${limits.newStudyDays})`,
  forgetChanges(changesDays),
  // What waits may wait for a person who resumes the webhook; there is little of it, but for tests.
  sql`delete from dicom_callers where last_date < now() - make_interval(days => ${limits.dicomCallerDays})`,
  sql`delete from webhook_deliveries where created_date < now() - make_interval(days => ${limits.webhookDeliveryDays})
    and (status <> 'Waiting' or type = 'WebhookTest')`,
  sql`delete from stations where last_seen_date < now() - make_interval(days => ${limits.stationDays})`,
  // Longer than any window of a rule for alerts.
  sql`delete from patient_openings where opened_date < now() - interval '3 days'`,
  sql`delete from access_alerts where raised_date < now() - make_interval(days => ${limits.alertDays})`,
  ...forgetExports,
  forgetFacts(limits.inboxDays, limits.inboxMostEntries),
  // The newest stays: that it left is how the first run knows that mail works.
  sql`delete from mails where sent_date < now() - make_interval(days => ${isDemo ? 30 : 7}) and id <> (
    select id from mails where sent_date is not null order by sent_date desc, id limit 1)`,
]

/** Removes expired rows, at the start and then every hour. Several servers may do it at once. */
export function startRetention(db: Db, settings: RetentionSettings, onProblem: (error: unknown) => void): Hourly {
  return goHourly(async () => {
    for (const rule of rules(settings)) await rule.execute(db)
  }, onProblem)
}
