import {
  becomeGuest,
  DataProvider,
  forgetUnsaved,
  hasUnsaved,
  passRequestsTo,
  settings,
  useHasUnsaved,
  useKeys,
} from '@dmp/kit'
import { GuestRouter } from '@dmp/kit/router'
import { UnsavedGuard } from '@dmp/kit/screen'
import { chooseTheme, ThemeProvider } from '@dmp/kit/ui'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { HostBoundary } from '../pages/HostBoundary.tsx'
import { RemoteApp } from '../pages/RemoteApp.tsx'
import { drawnMark } from '../remotes/pageMarks.ts'
import { tellInstead } from '../remotes/releaseReports.ts'
import { remotes } from '../remotes/snapshot.ts'
import type { Started } from './awaitStart.ts'
import { openLink, type Link } from './link.ts'
import './frame.css'

/** Draws a guest's part into its frame; whatever it needs of the page around goes through the port. */
export function startFrame({ start, port }: Started): void {
  const link = openLink(port)
  const [remote] = remotes()
  const root = document.getElementById('root')
  if (remote === undefined || root === null) throw new Error('The page names no guest.')
  becomeGuest(start.user)
  passRequestsTo(link.ask)
  tellInstead((what) => what !== 'loaded' && link.tell({ failed: what }))
  tellOfPage(link)
  link.follow((message) => 'theme' in message && chooseTheme(message.theme))
  link.follow((message) => 'user' in message && becomeGuest(message.user))
  let steps = 0
  const go = (to: string, isReplacing: boolean): void => {
    steps += 1
    // The page around would ask again.
    if (!hasUnsaved()) link.tell({ isUnsaved: false })
    link.tell({ go: to, isReplacing })
  }
  const follow = (listener: (at: string) => void) =>
    link.follow((message) => {
      // It went there before it knew of the last step here, and will say where that led.
      if (!('at' in message) || message.after < steps) return
      // The page around has asked already.
      forgetUnsaved()
      listener(message.at)
    })
  createRoot(root).render(
    <HostBoundary>
      <ThemeProvider>
        <DataProvider>
          <GuestRouter at={start.at} onGo={go} follow={follow}>
            <div className="dmp-guest-page">
              <RemoteApp remote={remote} />
            </div>
            <UnsavedGuard />
            <Unsaved link={link} />
            <ShellKeys link={link} first={start.keys} />
          </GuestRouter>
        </DataProvider>
      </ThemeProvider>
    </HostBoundary>,
  )
}

function Unsaved({ link }: { link: Link }) {
  const isUnsaved = useHasUnsaved()
  useEffect(() => link.tell({ isUnsaved }), [link, isUnsaved])
  return null
}

/** Keys of the page around, which the browser gives to the frame that has the focus. */
function ShellKeys({ link, first }: { link: Link; first: readonly string[] }) {
  const [keys, setKeys] = useState(first)
  useEffect(() => link.follow((message) => 'keys' in message && setKeys(message.keys)), [link])
  // The page around lists them.
  useKeys(keys.map((key) => ({ label: key, group: '', keys: [key], run: () => link.tell({ key }) })))
  return null
}

/** Input is told this often at most. */
const activeMs = 5000

/** What the page around shows or counts of this one: its title, whether it is drawn, what fails, who is at work. */
function tellOfPage(link: Link): void {
  const ending = ` · ${settings().applicationName}`
  new MutationObserver(() => {
    const { title } = document
    if (title !== '')
      link.tell({ title: (title.endsWith(ending) ? title.slice(0, -ending.length) : title).slice(0, 150) })
  }).observe(document.querySelector('title') ?? document.head, { childList: true, subtree: true })
  new PerformanceObserver((list) => {
    if (list.getEntries().some(({ name }) => name.startsWith(drawnMark))) link.tell({ drawn: true })
  }).observe({ entryTypes: ['mark'] })
  window.addEventListener('error', () => link.tell({ failed: 'error' }))
  window.addEventListener('unhandledrejection', ({ reason }: PromiseRejectionEvent) => {
    // Refused calls and stopped requests say nothing about a release.
    if (!/^(?:Call|Abort)Error$/.test((reason as Partial<Error> | undefined)?.name ?? ''))
      link.tell({ failed: 'error' })
  })
  let toldAt = -activeMs
  const tellActive = (): void => {
    if (performance.now() - toldAt < activeMs) return
    toldAt = performance.now()
    link.tell({ isActive: true })
  }
  for (const name of ['pointerdown', 'keydown']) window.addEventListener(name, tellActive, true)
}
