import { toGuestAddress } from '@dmp/contract/guest'
import type { RemoteOnPage } from '@dmp/contract/release'
import { preferences } from '@dmp/kit'
import { language } from '@dmp/kit/language'
import { snapshot } from '../remotes/snapshot.ts'

/** The colours that are on the page, or are about to be. */
export const shownTheme = (): string => document.documentElement.dataset.theme ?? preferences.read('theme') ?? 'system'

/** Where a guest's page is: of the releases that this page has, in its language and colours. */
export const toFrameAddress = ({ declaration, releaseId }: RemoteOnPage): string =>
  toGuestAddress(declaration.name, releaseId, snapshot().host, {
    language: language(),
    theme: shownTheme(),
    density: preferences.read('density') ?? 'comfortable',
  })
