import path from 'node:path'
import type { LoaderContext } from 'webpack'
import { elementsFunction, findMessages, replaceMessages, textFunction } from './findMessages.ts'

const browser = path.join(import.meta.dirname, 'browser')

/** Facts about a module that webpack keeps in its cache: the texts that it says, in English. */
export interface TextsInfo {
  dmpTexts?: readonly string[]
}

/**
 * Lets the texts of a source say themselves in the language of the page. Sources hold plain English: a text is found,
 * looked up and put together by what it is, not by a key that somebody has to invent.
 */
export default function textsLoader(this: LoaderContext<object>, source: string): string {
  const said = letTextsSayThemselves(this.resourcePath, source)
  const info = this._module?.buildInfo as TextsInfo | undefined
  if (info) info.dmpTexts = said.texts
  return said.source
}

/** The source with its texts replaced by calls that say them, and these texts in English. */
export function letTextsSayThemselves(
  file: string,
  source: string,
  options: { readonly elementsOnly?: boolean } = {},
): { source: string; texts: string[] } {
  const messages = findMessages(file, source, options)
  const texts = messages.map(({ text }) => text)
  const replaced = replaceMessages(messages, source)
  if (replaced === undefined) return { source, texts }
  // On the first line, so that every other keeps its number.
  const imports = [
    replaced.includes(`${textFunction}(`) && `import { text as ${textFunction} } from ${address('texts.js')}; `,
    replaced.includes(`${elementsFunction}(`) &&
      `import { elements as ${elementsFunction} } from ${address('textElements.js')}; `,
  ]
  return { source: [...imports, replaced].filter(Boolean).join(''), texts }
}

const address = (file: string): string => JSON.stringify(path.join(browser, file))
