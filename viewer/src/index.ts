import './styles.css'
import { language, loadTexts, locale, showLanguage } from '@dmp/kit/language'

showLanguage(document)
void startInLanguage()

/** The folder of this release. */
declare const __webpack_public_path__: string

/** Modules put some of their texts together as they run, so the catalogue comes before them. English waits for none. */
async function startInLanguage(): Promise<void> {
  if (language() !== 'en')
    await loadTexts({ part: 'viewer', language: language(), locale: locale(), base: __webpack_public_path__ })
  await import(/* webpackMode: "eager" */ './page.ts')
}
