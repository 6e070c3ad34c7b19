import type { ChangeKind } from '@dmp/contract/changes'
import type { DeliveryProblem, DeliveryStatusName, DeliveryType, PauseReason } from '@dmp/contract/webhook'
import type { ColumnType, Generated } from 'kysely'

type Number = ColumnType<string | number, number, number>

/** An address that is told of the changes of an organization. */
export interface WebhookTable {
  id: Generated<string>
  organization_id: string
  /** The person who made it: it sends for as long as this person may have webhooks. */
  owner_id: string
  /** Unique in the organization, without regard to case. */
  name: string
  url: string
  kinds: ChangeKind[]
  /** Its secret is made of this and a key of the server; the check tells whether that is still the same key. */
  salt: string
  secret_check: string
  previous_salt: string | null
  previous_until: Date | null
  /** The last change of the feed of which there is a delivery, or which it does not ask for. */
  cursor: Number
  created_date: Generated<Date>
  paused_date: Date | null
  paused_reason: PauseReason | null
  /** While tries fail, one after the other: since when, how many, and until when none is made. */
  failing_since: Date | null
  failures: Generated<number>
  rest_until: Date | null
  /** The server that sends for it just now, and until when no other one does. */
  sender: string | null
  sender_until: Date | null
  /** When it last had its turn. */
  turn_date: Generated<Date>
  delivered_date: Date | null
  /** Set where it tells of the releases of a part and of no changes. */
  part: ColumnType<string | null, string | undefined, never>
}

/** One message to a webhook, and what became of it. */
export interface WebhookDeliveryTable {
  id: Generated<string>
  /** In the order in which they are sent. */
  place: ColumnType<string | number, never, never>
  webhook_id: string
  /** Of the change that it tells; null for a test. */
  number: ColumnType<string | number | null, number | null, never>
  type: DeliveryType
  study_uid: string | null
  series_uid: string | null
  payload: string
  status: Generated<DeliveryStatusName>
  tries: Generated<number>
  created_date: Generated<Date>
  first_try_date: Date | null
  tried_date: Date | null
  next_try_date: Generated<Date>
  /** Of the last try. */
  answer_status: number | null
  answer: string | null
  milliseconds: number | null
  problem: DeliveryProblem | null
}

export interface WebhookTables {
  webhooks: WebhookTable
  webhook_deliveries: WebhookDeliveryTable
}
