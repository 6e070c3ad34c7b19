import * as v from 'valibot'
import { MachineName } from './apiToken.ts'
import { ChangeKind, changeKinds } from './changes.ts'
import { endpoint, may } from './endpoint.ts'
import { atMost, exact, Instant, maybe, Password, required, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { pageQuery } from './paging.ts'

const Text = v.string('Text.')
const Count = v.number('A number.')

/** Suspended: its owner or the organization is deactivated, or the owner may not have webhooks any more. */
export const statusNames = ['Active', 'Suspended', 'Paused'] as const
export const StatusName = v.picklist(statusNames, 'This is not a status of a webhook.')
export type StatusName = v.InferOutput<typeof StatusName>

/**
 * Why it is paused: a person did it, nothing arrived for three days, the receiver answered 410, or the server has
 * another key now, so that its secret has to be made anew.
 */
export const pauseReasons = ['Person', 'Failing', 'Gone', 'Secret'] as const
export const PauseReason = v.picklist(pauseReasons, 'This is not a reason.')
export type PauseReason = v.InferOutput<typeof PauseReason>

/** Why a try was not accepted. */
export const deliveryProblems = [
  'AddressRefused',
  'NameUnknown',
  'NoConnection',
  'CertificateRefused',
  'TooSlow',
  'Redirected',
  'BadStatus',
] as const
export const DeliveryProblem = v.picklist(deliveryProblems, 'This is not a problem of a delivery.')
export type DeliveryProblem = v.InferOutput<typeof DeliveryProblem>

/** An address that is told of changes by the rules of Standard Webhooks. */
export const Webhook = v.object({
  id: Uuid,
  name: Text,
  status: StatusName,
  pausedReason: maybe(PauseReason),
  url: Text,
  kinds: v.array(ChangeKind, 'A list.'),
  organization: Text,
  /** Full name of the person who made it, and with whose rights it ends. */
  owner: Text,
  createdDate: Instant,
  /** Since when nothing was accepted, although it was tried; null while all is well. */
  failingSince: maybe(Instant),
  /** While it fails: why the last try was not accepted, and the HTTP status of its answer, if one came. */
  lastProblem: maybe(DeliveryProblem),
  lastAnswerStatus: maybe(Count),
  /** While it is active and failing: when it is tried again. */
  nextTryDate: maybe(Instant),
  lastDeliveredDate: maybe(Instant),
  /** Until then deliveries are signed with the secret before as well. */
  previousSecretUntil: maybe(Instant),
})
export type Webhook = v.InferOutput<typeof Webhook>

/** The answers that hold a secret, each once. */
export const NewWebhook = v.object({ ...Webhook.entries, secret: Text })
export type NewWebhook = v.InferOutput<typeof NewWebhook>

const address = () => 'Write an address that begins with “https:”, without a user name or password in it.'

/** The server judges the host and the port once more, and the network each time that it sends. */
export const WebhookUrl = v.pipe(
  required(),
  v.trim(),
  v.nonEmpty('This field is required!'),
  v.maxLength(limits.webhookUrlMaxChars, () => atMost(limits.webhookUrlMaxChars)),
  v.regex(/^https?:\/\/[^\s/?#@\\]+(?:[/?#]\S*)?$/i, address),
)

/** What a person decides about a webhook. */
export const WebhookDraft = exact({
  name: MachineName,
  url: WebhookUrl,
  kinds: v.pipe(
    v.array(ChangeKind, 'The kinds of changes are a list.'),
    v.minLength(1, 'Choose at least one kind of change.'),
    v.maxLength(changeKinds.length, 'Name each kind once.'),
    v.check((list) => new Set(list).size === list.length, 'Name each kind once.'),
  ),
  /** The person's own: an open session alone must not send data elsewhere for longer than it lasts. */
  password: Password,
})
export type WebhookDraft = v.InferOutput<typeof WebhookDraft>

/**
 * What is delivered besides the kinds of changes: a test, word of changes that are not kept any more, and news of a
 * part.
 */
export const deliveryTypes = [...changeKinds, 'WebhookTest', 'ChangesMissed', 'ReleaseNews'] as const
export const DeliveryType = v.picklist(deliveryTypes, 'This is not a type of a delivery.')
export type DeliveryType = v.InferOutput<typeof DeliveryType>

/** Failed: refused for three days, while the receiver accepted others. */
export const deliveryStatusNames = ['Waiting', 'Delivered', 'Failed'] as const
export const DeliveryStatusName = v.picklist(deliveryStatusNames, 'This is not a status of a delivery.')
export type DeliveryStatusName = v.InferOutput<typeof DeliveryStatusName>

/** One message, and what became of it. Its id is the `webhook-id` of every try and every replay. */
export const Delivery = v.object({
  id: Uuid,
  webhookId: Uuid,
  type: DeliveryType,
  status: DeliveryStatusName,
  createdDate: Instant,
  tries: Count,
  triedDate: maybe(Instant),
  /** While it waits and its webhook is active. */
  nextTryDate: maybe(Instant),
  /** Of the last try: the HTTP status of the answer, how long it took, and why it was not accepted. */
  answerStatus: maybe(Count),
  milliseconds: maybe(Count),
  problem: maybe(DeliveryProblem),
  studyUID: maybe(Text),
  seriesUID: maybe(Text),
})
export type Delivery = v.InferOutput<typeof Delivery>

export const DeliveryDetail = v.object({
  ...Delivery.entries,
  /** The body as it is signed and sent. */
  payload: Text,
  /** The beginning of the last answer's body. */
  answer: maybe(Text),
})
export type DeliveryDetail = v.InferOutput<typeof DeliveryDetail>

const sortable = ['name', 'status', 'url', 'owner', 'organization', 'createdDate', 'lastDeliveredDate'] as const
const byId = exact({ id: Uuid })

/** Those of the viewer's organization, the newest first. The provider's staff see all. */
export const list = endpoint({
  method: 'GET',
  path: '/Webhook/list',
  summary: 'Webhooks of the organization, without their secrets.',
  needs: may('Webhook', 'List'),
  query: exact(pageQuery(sortable)),
  answer: v.array(Webhook, 'A list.'),
  sortable,
})

export const get = endpoint({
  method: 'GET',
  path: '/Webhook/get',
  summary: 'One webhook, without its secret.',
  needs: may('Webhook', 'Get'),
  query: byId,
  answer: Webhook,
})

/** In the viewer's own organization. It tells of what happens from now on. */
export const add = endpoint({
  method: 'POST',
  path: '/Webhook/add',
  summary: 'Make a webhook; the answer holds its secret.',
  needs: may('Webhook', 'Add'),
  body: WebhookDraft,
  answer: NewWebhook,
})

export const update = endpoint({
  method: 'PUT',
  path: '/Webhook/update/:id',
  summary: 'Change the name, the address or the kinds of a webhook.',
  needs: may('Webhook', 'Update'),
  params: byId,
  body: WebhookDraft,
  answer: Webhook,
  renews: get,
})

/** What happens meanwhile is delivered afterwards, for as long as changes are kept. */
export const pause = endpoint({
  method: 'PUT',
  path: '/Webhook/pause/:id',
  summary: 'Stop deliveries until somebody goes on.',
  needs: may('Webhook', 'Update'),
  params: byId,
  answer: Webhook,
  renews: get,
})

export const resume = endpoint({
  method: 'PUT',
  path: '/Webhook/resume/:id',
  summary: 'Go on with what waits, and with what happened meanwhile.',
  needs: may('Webhook', 'Update'),
  params: byId,
  answer: Webhook,
  renews: get,
})

export const renewSecret = endpoint({
  method: 'POST',
  path: '/Webhook/renewSecret/:id',
  summary: 'Make a new secret; for a day deliveries are signed with the one before as well.',
  needs: may('Webhook', 'Update'),
  params: byId,
  body: exact({ password: Password }),
  answer: NewWebhook,
})

/** With its deliveries; it cannot be undone. */
export const remove = endpoint({
  method: 'DELETE',
  path: '/Webhook/delete/:id',
  summary: 'Delete a webhook and its deliveries.',
  needs: may('Webhook', 'Delete'),
  params: byId,
})

const deliverySortable = ['createdDate', 'status', 'type', 'tries', 'triedDate'] as const

/** The newest first; kept for 30 days, and 10,000 at most, or until nothing of them waits any more. */
export const listDeliveries = endpoint({
  method: 'GET',
  path: '/Webhook/listDeliveries',
  summary: 'What a webhook delivered or tries to deliver.',
  needs: may('Webhook', 'Get'),
  query: exact({ webhookId: Uuid, ...pageQuery(deliverySortable) }),
  answer: v.array(Delivery, 'A list.'),
  sortable: deliverySortable,
})

export const getDelivery = endpoint({
  method: 'GET',
  path: '/Webhook/getDelivery',
  summary: 'One delivery, with what is sent and what was answered.',
  needs: may('Webhook', 'Get'),
  query: byId,
  answer: DeliveryDetail,
})

export const sendTest = endpoint({
  method: 'POST',
  path: '/Webhook/sendTest/:id',
  summary: 'Deliver a message of the type WebhookTest.',
  needs: may('Webhook', 'Update'),
  params: byId,
  answer: Delivery,
})

/** The same message under the same `webhook-id`. */
export const replay = endpoint({
  method: 'POST',
  path: '/Webhook/replay/:id',
  summary: 'Deliver one message once more.',
  needs: may('Webhook', 'Update'),
  params: byId,
  answer: Delivery,
})

/** What was delivered before keeps its `webhook-id`. */
export const replaySince = endpoint({
  method: 'POST',
  path: '/Webhook/replaySince/:id',
  summary: 'Deliver all changes since a time once more, also those from before the webhook was made.',
  needs: may('Webhook', 'Update'),
  refusals: [410],
  params: byId,
  body: exact({ since: Instant }),
  answer: Webhook,
  renews: get,
})
