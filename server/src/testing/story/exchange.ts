import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import { showBytes, showValue, type Naming } from './show.ts'

/** What an answer says beside its body; security headers are alike everywhere and have a test. */
const told = [
  'allow',
  'cache-control',
  'content-disposition',
  'content-location',
  'etag',
  'link',
  'location',
  'retry-after',
  'upload-length',
  'upload-offset',
  'vary',
  'warning',
  'www-authenticate',
]

const plainChallenge = 'Bearer realm="DMP"'

export function showRequest(
  who: string,
  { method = 'GET', url, payload, body = payload }: InjectOptions,
  name: Naming,
): string[] {
  const text = typeof url === 'string' ? url : JSON.stringify(url)
  const first = `${who}: ${String(method)} ${text.replace(/([?&](?:token|code|sessionId)=)[^&]+/g, '$1<unsaid>')}`
  if (body === undefined) return [first]
  if (Buffer.isBuffer(body)) return [`${first} <${body.length} bytes>`]
  return [`${first} ${showValue(body, name, '  ')}`]
}

export function showAnswer({ statusCode, headers, rawPayload }: Response, name: Naming): string[] {
  const type = String(headers['content-type'] ?? '')
  const isPlain = type === 'application/json; charset=utf-8' && headers['cache-control'] === 'no-store'
  const refusal = isPlain && rawPayload.length > 0 ? toRefusal(rawPayload) : undefined
  const lines = [`${statusCode} ${refusal ?? (isPlain ? '' : type)}`.trim()]
  for (const header of told)
    if (isPlain && (header === 'cache-control' || headers[header] === plainChallenge)) continue
    else if (headers[header] !== undefined) lines.push(`${header}: ${String(headers[header])}`)
  for (const cookie of [headers['set-cookie'] ?? []].flat())
    lines.push(`set-cookie: ${cookie.replace(/=([^;]*)/, (_, value: string) => `=${showCookie(value, name)}`)}`)
  if (rawPayload.length === 0 || refusal !== undefined) return lines
  return [...lines, ...showBody(type, rawPayload, name)]
}

/** What a cookie holds for the server, where that is no secret. */
function showCookie(value: string, name: Naming): string {
  const text = Buffer.from(value.split('.')[0] ?? '', 'base64url').toString()
  if (!/^\{".*\}$/s.test(text)) return value && '<value>'
  return showValue(JSON.parse(text), name, '  ')
}

function showBody(type: string, bytes: Buffer, name: Naming): string[] {
  if (/json/.test(type) && bytes.length < 200_000) {
    try {
      return [showValue(withoutRequest(JSON.parse(bytes.toString())), name, '  ')]
    } catch {
      return [bytes.toString()]
    }
  }
  if (/^text\/(?:plain|csv)|^application\/(?:x-ndjson)/.test(type)) return [showValue(bytes.toString(), name, '  ')]
  // Of what is that long, a test of its own says what is in it.
  if (/zip|html|javascript|css|json/.test(type)) return [`<${type}>`]
  // An address in it may name a row.
  const text = bytes.toString('latin1').replaceAll(/--[\w-]{20,}/g, '--boundary')
  return [showBytes(Buffer.from(text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, name), 'latin1'))]
}

const withoutRequest = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || !('requestId' in value)) return value
  const { requestId: _, ...rest } = value
  return rest
}

/** A refusal that says no more than its code and its sentence, in one line. */
function toRefusal(bytes: Buffer): string | undefined {
  const { code, message, requestId: _, ...rest } = JSON.parse(bytes.toString()) as Record<string, unknown>
  const isAll = typeof code === 'string' && typeof message === 'string' && Object.keys(rest).length === 0
  return isAll ? `${code} "${message}"` : undefined
}
