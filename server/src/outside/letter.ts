import { escapeHtml } from '../core/escapeHtml.ts'
import type { Mail } from './mail.ts'

export interface Letter {
  readonly to: string
  readonly subject: string
  /** "Dr Ada Berg"; left out where a sender may not choose how a stranger is addressed. */
  readonly name?: string
  readonly paragraphs: readonly string[]
  /** A person's own words, such as a comment: set apart, so that they are not taken for ours. */
  readonly quote?: string
  /** A code or temporary password, shown large and alone. */
  readonly code?: string
  readonly link?: { readonly label: string; readonly address: string }
  /** The text below the code and the link. */
  readonly afterwards?: readonly string[]
  /** Its reader waits for it at a screen, as for a code. */
  readonly isAwaited?: boolean
}

const product = 'Data Management Platform'

/**
 * One letter as plain text and as HTML that needs no style sheet, picture or script. Whatever was typed by people stays
 * text.
 */
export function letter({
  to,
  subject,
  name,
  paragraphs,
  quote,
  code,
  link,
  afterwards = [],
  isAwaited = false,
}: Letter): Mail {
  const greeting = name === undefined ? 'Hello,' : `Dear ${name},`
  const closing = `This mail was sent by the ${product}. Please do not reply to it.`
  const text = [
    greeting,
    ...paragraphs,
    ...(quote === undefined ? [] : [quoted(quote)]),
    ...(code === undefined ? [] : [`    ${code}`]),
    ...(link ? [`${link.label}: ${link.address}`] : []),
    ...afterwards,
    `--\n${closing}`,
  ].join('\n\n')
  const html = [
    `<p>${escapeHtml(greeting)}</p>`,
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...(quote === undefined
      ? []
      : [
          `<blockquote style="margin:0 0 16px;padding:8px 16px;border-left:3px solid #c5cdd8">${escapeHtml(quote).replaceAll('\n', '<br>')}</blockquote>`,
        ]),
    ...(code === undefined
      ? []
      : [`<p style="font:600 22px/1.4 ui-monospace,Consolas,monospace;letter-spacing:1px">${escapeHtml(code)}</p>`]),
    ...(link
      ? [
          `<p><a href="${escapeHtml(link.address)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#0958d9;color:#ffffff;text-decoration:none">${escapeHtml(link.label)}</a></p><p style="font-size:12px;color:#4a5565">${escapeHtml(link.address)}</p>`,
        ]
      : []),
    ...afterwards.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    `<p style="margin-top:32px;font-size:12px;color:#4a5565">${escapeHtml(closing)}</p>`,
  ]
  return {
    to,
    subject,
    text: `${text}\n`,
    html: page(subject, html),
    ...(link ? { links: [link.address] } : {}),
    ...(code === undefined ? {} : { code }),
    ...(isAwaited ? { isAwaited } : {}),
  }
}

const page = (title: string, sections: readonly string[]): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body style="margin:0;padding:24px;background:#ffffff;color:#1b2430;font:15px/1.5 system-ui,sans-serif"><div style="max-width:560px">${sections.join('')}</div></body></html>`

/** Whatever some program takes for the end of a line: the rest would stand outside of the quote, as ours. */
const lineEnds = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u

const quoted = (text: string): string =>
  text
    .split(lineEnds)
    .map((line) => `> ${line}`)
    .join('\n')
