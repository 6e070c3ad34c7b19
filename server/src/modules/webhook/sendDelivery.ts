import type { DeliveryProblem } from '@dmp/contract/webhook'
import { sharedNow } from '../../core/clock.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { AllowedDestinations } from '../../outside/outgoing/destination.ts'
import { OutsideFailure, postOutside } from '../../outside/outgoing/postOutside.ts'
import type { ResolveHost } from '../../outside/outgoing/resolveHost.ts'
import type { Settings } from '../../settings/settings.ts'
import type { DeliveryRow } from './delivery.repository.ts'
import { parseRetryAfter } from './retries.ts'
import { signedHeaders, toSecret } from './webhookSecret.ts'
import type { WebhookRow } from './webhookStatus.ts'

const answerBytes = 4096

/** How tests shorten the wait for a receiver and a turn, and answer for DNS. */
export interface SendOptions {
  readonly timeoutMs?: number
  readonly turnMs?: number
  readonly resolve?: ResolveHost
}

export interface Outcome {
  readonly problem: DeliveryProblem | null
  readonly status: number | null
  readonly answer: string | null
  readonly milliseconds: number
  readonly retryAfterSeconds: number
}

export const toAllowed = ({
  webhookNetworks: networks,
  webhookHosts: hosts,
}: Pick<Settings, 'webhookNetworks' | 'webhookHosts'>): AllowedDestinations => ({ networks, hosts })

/** One try. Never throws: whatever goes wrong is its outcome. */
export async function sendDelivery(
  { settings, keys }: Pick<Dependencies, 'settings' | 'keys'>,
  webhook: WebhookRow,
  { id, payload }: Pick<DeliveryRow, 'id' | 'payload'>,
  { timeoutMs = 15_000, resolve }: SendOptions = {},
): Promise<Outcome> {
  const begun = performance.now()
  const since = (): number => Math.round(performance.now() - begun)
  const isInGrace = webhook.previous_until !== null && webhook.previous_until.getTime() > sharedNow()
  const salts = [webhook.salt, ...(isInGrace && webhook.previous_salt !== null ? [webhook.previous_salt] : [])]
  const secrets = salts.map((salt) => toSecret(keys, salt))
  const timestamp = Math.floor(sharedNow() / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'DMP-Webhooks',
    ...signedHeaders(secrets, { id, timestamp, payload }),
  }
  const bounds = { allowed: toAllowed(settings), timeoutMs, answerBytes, ...(resolve && { resolve }) }
  try {
    const answer = await postOutside({ url: webhook.url, headers, body: payload }, bounds)
    return {
      problem: judge(answer.status),
      status: answer.status,
      answer: toShown(answer.text),
      milliseconds: since(),
      retryAfterSeconds: parseRetryAfter(answer.retryAfter),
    }
  } catch (cause) {
    const problem = cause instanceof OutsideFailure ? cause.problem : 'NoConnection'
    return { problem, status: null, answer: null, milliseconds: since(), retryAfterSeconds: 0 }
  }
}

function judge(status: number): DeliveryProblem | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'Redirected' : 'BadStatus'
}

/** Without what a database or a screen cannot take. */
const toShown = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '')
