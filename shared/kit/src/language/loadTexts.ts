import type { Language } from './languages.ts'
import { textsByPart } from './textsByPart.ts'

/** English → ICU message, as the build wrote it (`texts/de.json`). */
type Catalogue = Readonly<Record<string, string>>
/** A part that comes late is not held up for its words. */
const timeoutMs = 4000

export interface TextsSource {
  /** Host, remote or viewer. */
  readonly part: string
  readonly language: Language
  /** For plurals and numbers: `de-AT`. */
  readonly locale: string
  /** The folder of the part's release, with a slash at its end. */
  readonly base: string
  /** The hash of the catalogue, where the page knows it: the browser refuses any other. */
  readonly integrity?: string | undefined
}

/**
 * Loads what a part says in another language than English. Call it before the part's modules run: some of them put
 * their texts together at once. A catalogue that does not come is no failure: the part speaks English.
 */
export async function loadTexts({ part, language, locale, base, integrity }: TextsSource): Promise<void> {
  if (language === 'en') return
  try {
    const [{ createSay }, catalogue] = await Promise.all([
      import('./say.ts'),
      fetch(new URL(`texts/${language}.json`, new URL(base, location.href)), {
        signal: AbortSignal.timeout(timeoutMs),
        ...(integrity === undefined ? {} : { integrity }),
      }).then((response) => {
        if (!response.ok) throw new Error(`${response.url} answers ${response.status}.`)
        return response.json() as Promise<Catalogue>
      }),
    ])
    // Parts that run already hold on to this object.
    textsByPart.dmpTexts ??= {}
    textsByPart.dmpTexts[part] = createSay(catalogue, locale)
  } catch (error) {
    console.warn(`The texts of ${part} could not be loaded; it speaks English.`, error)
  }
}
