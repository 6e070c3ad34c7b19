import { settings } from '@dmp/kit'
import { LanguageMenu } from '@dmp/kit/ui'
import type { ReactNode } from 'react'
import { OverrideSlot } from '../overrides/OverrideSlot.tsx'
import { Footer } from './Footer.tsx'
import { SkipLink } from './SkipLink.tsx'
import './shell.css'

/** The server says what is missing in English: an unknown word as it came. */
function toComingText(words: string): string {
  if (words === 'the image viewer') return 'the image viewer'
  if (words === 'the uploader') return 'the uploader'
  return words
}

/** The demo can be used before all of it is built; the sign-in page says what is missing. */
function Coming() {
  const coming = (settings().coming ?? []).map(toComingText).join(', ')
  if (coming === '') return null
  return (
    <p className="dmp-coming" role="status">
      Still being built when this page was opened: {coming}. The rest can be used; reload the page in about a minute.
    </p>
  )
}

/** The frame of pages that need no sign-in, with the languages and the footer of every page (1.12). */
export function PublicFrame({ children }: { children: ReactNode }) {
  return (
    <div className="dmp-public-frame">
      <SkipLink />
      <OverrideSlot />
      <div className="dmp-public-language">
        <LanguageMenu />
      </div>
      <main id="content" tabIndex={-1}>
        {children}
        <Coming />
      </main>
      <Footer />
    </div>
  )
}
