import './styles.css'
import { language, loadTexts, locale, showLanguage } from '@dmp/kit/language'
import { keepPlaces } from './keptPlace.ts'

showLanguage(document)
void startInLanguage()

/** The folder of this release. */
declare const __webpack_public_path__: string

/** Modules put some of their texts together as they run, so the catalogue comes before them. English waits for none. */
async function startInLanguage(): Promise<void> {
  if (language() !== 'en')
    await loadTexts({ part: 'viewer', language: language(), locale: locale(), base: __webpack_public_path__ })
  if (import.meta.webpackHot) keepPlaces()
  let leave = await openPage()
  // Under `npm run dev` an edit takes this page down and puts it up again, where it was; Cornerstone itself, its
  // decoders and the pictures in its memory stay.
  if (import.meta.webpackHot)
    import.meta.webpackHot.accept('./page.ts', async () => {
      leave()
      leave = await openPage()
    })
}

async function openPage(): Promise<() => void> {
  const page = await import(/* webpackMode: "eager" */ './page.ts')
  return page.openPage(document.getElementById('root'))
}
