import type { Language } from './languages.ts'
import { textsByPart, textsChanged } from './textsByPart.ts'

/** English → ICU message, as the build wrote it (`texts/de.json`). */
type Catalogue = Readonly<Record<string, string>>
/** A part that comes late is not held up for its words. */
const patienceMs = 4000
/** A request that hangs is made again. */
const timeoutMs = 30_000
/** How long to wait before the next attempt; after the last one the part speaks English until the page is renewed. */
const retryAfterMs = [1000, 2000, 4000, 8000, 16_000, 30_000, 60_000, 60_000]

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

const given = new Map<string, Catalogue>()

/** For a frame that may fetch nothing: what parts say, as the page around it fetched it. */
export function giveTexts(catalogues: Readonly<Record<string, Catalogue>>): void {
  for (const [part, catalogue] of Object.entries(catalogues)) given.set(part, catalogue)
}

/**
 * Loads what a part says in another language than English, and resolves when the part may run. Call it before the
 * part's modules run. A catalogue that fails, or is not there after four seconds, holds nobody up: the part begins in
 * English, the catalogue is asked for again, and `subscribeToTexts` tells when it has come.
 */
export async function loadTexts(source: TextsSource): Promise<void> {
  if (source.language === 'en') return
  const first = place(source, 'default')
  const arrival = Promise.race([first, pause(patienceMs)]).catch(() => undefined)
  void first.catch((error: unknown) => {
    console.warn(`The texts of ${source.part} could not be loaded; it speaks English until they come.`, error)
    return placeLater(source)
  })
  await arrival
}

async function placeLater(source: TextsSource): Promise<void> {
  for (const ms of retryAfterMs) {
    await pauseOrLine(ms)
    // Not from the cache: a request for the same address would join one that hangs.
    const isThere = await place(source, 'reload').then(
      () => true,
      () => false,
    )
    if (isThere) return
  }
}

async function place({ part, language, locale, base, integrity }: TextsSource, cache: RequestCache): Promise<void> {
  const [{ createSay }, catalogue] = await Promise.all([
    import('./say.ts'),
    given.get(part) ?? fetchCatalogue({ language, base, integrity }, cache),
  ])
  // Parts that run already hold on to this object.
  textsByPart.dmpTexts ??= {}
  textsByPart.dmpTexts[part] = createSay(catalogue, locale)
  textsChanged()
}

/** What a part says in a language, as its build wrote it. */
export async function fetchCatalogue(
  { language, base, integrity }: Pick<TextsSource, 'language' | 'base' | 'integrity'>,
  cache: RequestCache = 'default',
): Promise<Catalogue> {
  const response = await fetch(new URL(`texts/${language}.json`, new URL(base, location.href)), {
    cache,
    signal: AbortSignal.timeout(timeoutMs),
    ...(integrity === undefined ? {} : { integrity }),
  })
  if (!response.ok) throw new Error(`${response.url} answers ${response.status}.`)
  return response.json() as Promise<Catalogue>
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Ends early when the browser is back online. */
const pauseOrLine = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    window.addEventListener('online', end)
  })
