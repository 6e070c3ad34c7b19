import { sendApplicationError } from '@dmp/contract/email'
import * as scan from '@dmp/contract/scan'
import { answer, renderScreen, type Rendered, type ScreenOptions } from '@dmp/kit/testing'
import type { ReactNode } from 'react'

/** Failures are reported, and a page that stays for a while asks for the work of its person. */
const asked = [answer(sendApplicationError, null), answer(scan.listTransfers, []), answer(scan.listOwnDeletions, [])]

/** `renderScreen` for whole pages. */
export function renderPage(ui: ReactNode, options: ScreenOptions): Rendered {
  return renderScreen(ui, { ...options, answers: [...asked, ...(options.answers ?? [])] })
}
