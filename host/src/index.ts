// First: nothing may touch the page before the Trusted Types policy exists.
import './trustedTypes.ts'
import './styleNonce.ts'
import { giveTexts, language, loadTexts, locale, showLanguage } from '@dmp/kit/language'
import { awaitStart, guestPage } from './frame/awaitStart.ts'
import { adoptPageScripts } from './remotes/adoptPageScripts.ts'
import { folderOfTexts, offerEarlierAddresses } from './remotes/since.ts'
import { snapshot } from './remotes/snapshot.ts'
import { textsIntegrity } from './remotes/textsIntegrity.ts'

showLanguage(document)
adoptPageScripts()
offerEarlierAddresses()
void (guestPage() ? startAsGuest() : startInLanguage())

/** In a frame that may fetch nothing: what is said here comes with the first word of the page around it. */
async function startAsGuest(): Promise<void> {
  const started = await awaitStart()
  giveTexts(started.start.texts)
  await loadTexts({ part: 'host', language: language(), locale: locale(), base: __webpack_public_path__ })
  const { startFrame } = await import('./frame/startFrame.tsx')
  startFrame(started)
}

/** The folder of this release. */
declare const __webpack_public_path__: string

/** Modules put some of their texts together as they run, so the catalogue comes before them. English waits for none. */
async function startInLanguage(): Promise<void> {
  if (language() !== 'en')
    await loadTexts({
      part: 'host',
      language: language(),
      locale: locale(),
      base: folderOfTexts(__webpack_public_path__),
      integrity: textsIntegrity('host', snapshot().host),
    })
  if ('dmpDrawing' in globalThis) {
    const { offerDrawing } = await import(/* webpackChunkName: "drawing" */ './drawn/offerDrawing.tsx')
    return offerDrawing()
  }
  const { start } = await import(/* webpackMode: "eager" */ './bootstrap.tsx')
  await start()
}
