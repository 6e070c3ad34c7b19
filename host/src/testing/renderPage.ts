import { sendApplicationError } from '@dmp/contract/email'
import { answer, renderScreen, type Rendered, type ScreenOptions } from '@dmp/kit/testing'
import type { ReactNode } from 'react'

/** `renderScreen` for pages whose failures are reported. */
export function renderPage(ui: ReactNode, options: ScreenOptions): Rendered {
  return renderScreen(ui, { ...options, answers: [answer(sendApplicationError, null), ...(options.answers ?? [])] })
}
