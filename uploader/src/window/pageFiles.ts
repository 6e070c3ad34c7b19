import { readFileSync } from 'node:fs'
import ar from '../../locales/ar.json' with { type: 'json' }
import de from '../../locales/de.json' with { type: 'json' }
import es from '../../locales/es.json' with { type: 'json' }
import fr from '../../locales/fr.json' with { type: 'json' }
import ja from '../../locales/ja.json' with { type: 'json' }
import { reasons } from './reasons.ts'
import { texts } from './texts.ts'

interface PageFile {
  readonly content: string | Buffer
  readonly type: string
}

/** In the bundle a file is an address with its content (`data:`), from the sources it lies there. */
const read = (url: URL): Buffer =>
  url.protocol === 'data:' ? Buffer.from(url.href.slice(url.href.indexOf(',') + 1), 'base64') : readFileSync(url)

const files: Readonly<Record<string, () => PageFile>> = {
  '/': () => ({ content: read(new URL('./page/page.html', import.meta.url)), type: 'text/html; charset=utf-8' }),
  '/ended': () => ({ content: read(new URL('./page/ended.html', import.meta.url)), type: 'text/html; charset=utf-8' }),
  // Browsers ask for it by themselves.
  '/favicon.ico': () => ({ content: '', type: 'image/x-icon' }),
  '/page.css': () => ({ content: read(new URL('./page/page.css', import.meta.url)), type: 'text/css; charset=utf-8' }),
  '/connection.mjs': () => ({
    content: read(new URL('./page/connection.mjs', import.meta.url)),
    type: 'text/javascript',
  }),
  '/chooser.mjs': () => ({ content: read(new URL('./page/chooser.mjs', import.meta.url)), type: 'text/javascript' }),
  '/copies.mjs': () => ({ content: read(new URL('./page/copies.mjs', import.meta.url)), type: 'text/javascript' }),
  '/drop.mjs': () => ({ content: read(new URL('./page/drop.mjs', import.meta.url)), type: 'text/javascript' }),
  '/failures.mjs': () => ({ content: read(new URL('./page/failures.mjs', import.meta.url)), type: 'text/javascript' }),
  '/gateway.mjs': () => ({ content: read(new URL('./page/gateway.mjs', import.meta.url)), type: 'text/javascript' }),
  '/states.mjs': () => ({ content: read(new URL('./page/states.mjs', import.meta.url)), type: 'text/javascript' }),
  '/page.js': () => ({ content: read(new URL('./page/page.mjs', import.meta.url)), type: 'text/javascript' }),
  '/texts.json': () => ({
    content: JSON.stringify({ texts, reasons, catalogues: { de, fr, es, ja, ar } }),
    type: 'application/json',
  }),
}

export const pageFile = (name: string): PageFile | undefined =>
  Object.hasOwn(files, name) ? files[name]?.() : undefined
