import type { Generated } from 'kysely'

/** The tables that 0008-sessions renames, as servers of the version before know them. */
export interface PreviousTables {
  readonly users: { id: Generated<string>; organization_id: string }
  readonly families: {
    id: Generated<string>
    user_id: string
    client_id: string
    binding_hash: string | null
    device: string
    address: string
    last_seen_date: Generated<Date>
    active_date: Generated<Date>
    expires_date: Date
    ended_date: Date | null
    end_reason: string | null
  }
  readonly refresh_tokens: { hash: string; family_id: string; used_date: Date | null }
  readonly live_sessions: { session_id: string; family_id: string; exchanges: Generated<number> }
  readonly scan_launches: {
    token_hash: string
    organization_id: string
    study_uid: string
    user_id: string
    family_id: string
    expires_date: Date
  }
  readonly guesses: { key: string; failures: number; blocked_until: Date; updated_date: Date }
  readonly release_sightings: { part: string; release_id: string; minute: Date; what: string; pages: number }
  readonly release_witnesses: { part: string; release_id: string; witness: string }
}

const inAnHour = (): Date => new Date(Date.now() + 3_600_000)

export const previousSession = (userId: string) => ({
  user_id: userId,
  client_id: 'dmp-web',
  binding_hash: null,
  device: 'Uploader',
  address: '10.0.0.1',
  expires_date: inAnHour(),
  ended_date: null,
  end_reason: null,
})

export const previousLaunch = (userId: string, organizationId: string, sessionId: string) => ({
  token_hash: `launch of ${sessionId}`,
  organization_id: organizationId,
  study_uid: '1.2.3',
  user_id: userId,
  family_id: sessionId,
  expires_date: inAnHour(),
})
