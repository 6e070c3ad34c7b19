import { escapeHtml } from '../core/escapeHtml.ts'
import { isRightToLeft, sayIn } from '../core/languages.ts'

/** What is written to somebody, in English; it goes out in the language of its reader. */
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
  /** Beneath everything, in the text alone: a program that shows a page could break its lines. */
  readonly lines?: string
  /** Its reader waits for it at a screen: it goes before those that may wait, however many those are. */
  readonly isAwaited?: boolean
  /** Of who made us write; used for readers whose own language nobody here knows. */
  readonly language?: string | undefined
  /** The organization in whose name it goes out: it bears its logo, where others bear that of their reader's. */
  readonly logoOf?: string
}

const titleWords: Readonly<Record<string, string>> = { Mr: 'Mr', Mrs: 'Mrs', Ms: 'Ms', Dr: 'Dr', Prof: 'Prof' }

/** A letter in the language of its reader. */
export interface WrittenLetter {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * One letter as plain text and as HTML that needs no style sheet, picture or script; the picture that it may bring is
 * the logo (`withLogo`). Whatever was typed by people stays text, in the words in which it was typed.
 */
export function writeLetter(letter: Letter, language?: string): WrittenLetter {
  const say = (sentence: string): string => sayIn(language, sentence)
  const { quote, code, link, lines } = letter
  // The title comes first, as it was chosen from the list of English ones (5.07).
  const name = letter.name?.replace(/^(?:Mr|Mrs|Ms|Dr|Prof)(?= )/, (title) => say(titleWords[title] ?? title))
  const greetingText = name === undefined ? 'Hello,' : `Dear ${name},`
  const greeting = say(greetingText)
  const subject = say(letter.subject)
  const paragraphs = letter.paragraphs.map(say)
  const afterwards = (letter.afterwards ?? []).map(say)
  const label = link && say(link.label)
  const closing = say(`This mail was sent by the Data Management Platform. Please do not reply to it.`)
  const text = [
    greeting,
    ...paragraphs,
    ...(quote === undefined ? [] : [quoted(quote)]),
    ...(code === undefined ? [] : [`    ${code}`]),
    ...(link ? [`${label}: ${link.address}`] : []),
    ...afterwards,
    `--\n${closing}`,
  ].join('\n\n')
  const html = [
    head,
    `<p>${escapeHtml(greeting)}</p>`,
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...(quote === undefined
      ? []
      : [
          `<blockquote style="margin:0 0 16px;padding:8px 16px;border-inline-start:3px solid #c5cdd8">${escapeHtml(quote).replaceAll('\n', '<br>')}</blockquote>`,
        ]),
    ...(code === undefined
      ? []
      : [`<p style="font:600 22px/1.4 ui-monospace,Consolas,monospace;letter-spacing:1px">${escapeHtml(code)}</p>`]),
    ...(link
      ? [
          `<p><a href="${escapeHtml(link.address)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#0958d9;color:#ffffff;text-decoration:none">${escapeHtml(label ?? '')}</a></p><p style="font-size:12px;color:#4a5565">${escapeHtml(link.address)}</p>`,
        ]
      : []),
    ...afterwards.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    `<p style="margin-top:32px;font-size:12px;color:#4a5565">${escapeHtml(closing)}</p>`,
  ]
  return {
    subject,
    text: lines === undefined ? `${text}\n` : `${text}\n\n${lines}`,
    html: lines === undefined ? page(subject, html, language) : '',
  }
}

const logoPlace = '<!--logo-->'
/** The name of the product, as on its pages. */
const head = `${logoPlace}<p style="margin:0 0 20px;padding:0 0 10px;border-bottom:2px solid #0b1f3a;font-weight:700;color:#0b1f3a">Data Management Platform</p>`

export interface MailLogo {
  /** The name of the organization. */
  readonly name: string
  readonly content: Buffer
  readonly width: number
  readonly height: number
}

/** Twice as fine as it is shown, for screens that show as much. */
const logoDensity = 2

/** The logo travels with its mail: mail programs show no picture that they would have to fetch. */
export function withLogo(html: string, logo: MailLogo | undefined): Pick<SentMail, 'html' | 'attachments'> {
  if (!logo || !html.includes(logoPlace)) return { html: html.replace(logoPlace, ''), attachments: [] }
  const [width, height] = [logo.width, logo.height].map((side) => Math.max(1, Math.round(side / logoDensity)))
  const image = `<p style="margin:0 0 12px"><img src="cid:logo@mail" alt="${escapeHtml(logo.name)}" width="${width}" height="${height}" style="border:0"></p>`
  return {
    // As a function: a name may hold what a replacement gives a meaning.
    html: html.replace(logoPlace, () => image),
    attachments: [
      {
        filename: 'logo.png',
        content: logo.content,
        contentType: 'image/png',
        cid: 'logo@mail',
        contentDisposition: 'inline',
      },
    ],
  }
}

interface SentMail {
  readonly html: string
  readonly attachments: {
    readonly filename: string
    readonly content: Buffer
    readonly contentType: string
    readonly cid: string
    readonly contentDisposition: 'inline'
  }[]
}

const page = (title: string, sections: readonly string[], language = 'en'): string =>
  `<!doctype html><html lang="${language}" dir="${isRightToLeft(language) ? 'rtl' : 'ltr'}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body style="margin:0;padding:24px;background:#ffffff;color:#1b2430;font:15px/1.5 system-ui,sans-serif"><div style="max-width:560px">${sections.join('')}</div></body></html>`

/** Whatever some program takes for the end of a line: the rest would stand outside of the quote, as ours. */
const lineEnds = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u

const quoted = (text: string): string =>
  text
    .split(lineEnds)
    .map((line) => `> ${line}`)
    .join('\n')
