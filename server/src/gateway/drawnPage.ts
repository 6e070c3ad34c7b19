import type { RuntimeSettings } from '@dmp/contract/settings'
import type { DrawnPages } from '@dmp/release/drawn/drawnDocument'
import { fillSettings } from '@dmp/release/drawn/drawnSettings'
import { escapeHtml } from '../core/escapeHtml.ts'
import { findLanguage, isRightToLeft } from '../core/languages.ts'
import { readBrowserScript } from './readBrowserScript.ts'

const code = readBrowserScript(new URL('./drawnPage.browser.js', import.meta.url))

export interface DrawnPageParts {
  readonly nonce: string
  readonly path: string
  readonly pages: DrawnPages | undefined
  readonly settings: RuntimeSettings
  /** What the browser says of itself; English where left out. */
  readonly acceptLanguage?: string | undefined
}

/**
 * The markup of a public page, and the script that shows it before the code of the page comes, in the language that
 * the browser asks for first. Nothing where nobody drew the page, or where this server shows more than that.
 */
export function drawnPage({ nonce, path, pages = {}, settings, acceptLanguage }: DrawnPageParts): string {
  const address = path === '/' ? '/login' : path
  const drawn = Object.hasOwn(pages, address) ? pages[address] : undefined
  if (drawn === undefined || settings.coming !== undefined) return ''
  const language = findLanguage(acceptLanguage) ?? 'en'
  const kinds = drawn[language]
  const markup = kinds && fillSettings(settings.isDemo ? kinds.demo : kinds.plain, settings, escapeHtml)
  if (markup === undefined) return ''
  const facts = Object.entries({
    languages: Object.keys(drawn).join(' '),
    language,
    direction: isRightToLeft(language) ? 'rtl' : 'ltr',
  }).map(([name, value]) => `data-${name}="${escapeHtml(value)}"`)
  return `<template id="dmp-drawn">${markup}</template><script nonce="${nonce}" ${facts.join(' ')}>${code}</script>`
}
