import type { Delivery, DeliveryDetail, NewWebhook, Webhook, WebhookDraft } from '../webhook.ts'
import { anId, northClinic } from './ids.ts'

export const aWebhook = (over: Partial<Webhook> = {}): Webhook => ({
  id: anId(95),
  name: 'Chest reader',
  status: 'Active',
  pausedReason: null,
  url: 'https://reader.example.org/dmp',
  kinds: ['SeriesQuiet', 'SeriesDeleted'],
  organization: northClinic.name,
  owner: 'Ms Ada Berg',
  createdDate: '2026-05-05T08:00:00.000Z',
  failingSince: null,
  lastProblem: null,
  lastAnswerStatus: null,
  nextTryDate: null,
  lastDeliveredDate: '2026-05-06T09:00:00.000Z',
  previousSecretUntil: null,
  ...over,
})

export const aWebhookDraft = (over: Partial<WebhookDraft> = {}): WebhookDraft => ({
  name: 'Chest reader',
  url: 'https://reader.example.org/dmp',
  kinds: ['SeriesQuiet', 'SeriesDeleted'],
  password: 'the own password',
  ...over,
})

export const aNewWebhook = (over: Partial<NewWebhook> = {}): NewWebhook => ({
  ...aWebhook({ lastDeliveredDate: null }),
  secret: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
  ...over,
})

export const aDelivery = (over: Partial<Delivery> = {}): Delivery => ({
  id: anId(96),
  webhookId: anId(95),
  type: 'SeriesQuiet',
  status: 'Delivered',
  createdDate: '2026-05-06T09:00:00.000Z',
  tries: 1,
  triedDate: '2026-05-06T09:00:01.000Z',
  nextTryDate: null,
  answerStatus: 204,
  milliseconds: 45,
  problem: null,
  studyUID: '1.2.3',
  seriesUID: '1.2.3.1',
  ...over,
})

export const aDeliveryDetail = (over: Partial<DeliveryDetail> = {}): DeliveryDetail => ({
  ...aDelivery(),
  payload: '{"type":"SeriesQuiet","timestamp":"2026-05-06T09:00:00.000Z","data":{"seriesUID":"1.2.3.1"}}',
  answer: 'Thank you',
  ...over,
})
