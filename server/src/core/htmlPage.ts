import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { smallPagePolicy } from './contentSecurityPolicy.ts'
import { escapeHtml } from './escapeHtml.ts'

const style = `:root{color-scheme:light dark}
body{margin:0 auto;max-width:960px;padding:24px;font:14px/1.6 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
h1{font-size:24px}h2{font-size:18px;margin-top:32px}
code,pre{font:13px/1.5 ui-monospace,Menlo,Consolas,monospace}
pre{overflow:auto;padding:12px;border:1px solid #8884;border-radius:6px;white-space:pre-wrap}
article{border-top:1px solid #8884;padding:12px 0}.method{display:inline-block;min-width:64px;font-weight:600}.quiet{opacity:.75}`

interface Active {
  /** Address of the page's one script, on this origin. */
  readonly script: string
  readonly data: Readonly<Record<string, string>>
}

/** A small page of the server itself. Its policy runs no script but the one that the page names. */
export function sendPage(
  reply: FastifyReply,
  title: string,
  body: string,
  active?: Active,
  moreStyle = '',
): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': smallPagePolicy(nonce, active !== undefined),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title><style nonce="${nonce}">${style}${moreStyle}</style>${active ? `<script src="${active.script}" type="module"></script>` : ''}</head><body${attributes(active)}><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`,
    )
}

const attributes = (active: Active | undefined): string =>
  Object.entries(active?.data ?? {})
    .map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
    .join('')
