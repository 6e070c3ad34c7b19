import { guestLimits, type GuestStart, type ToGuest } from '@dmp/contract/guest'
import type { RemoteOnPage } from '@dmp/contract/release'
import type { ObservationKind } from '@dmp/contract/releaseReport'
import { askForGuest, listKeys, runKey, session } from '@dmp/kit'
import { fetchCatalogue, language } from '@dmp/kit/language'
import type { Fault } from '../remotes/RemoteError.ts'
import { snapshot } from '../remotes/snapshot.ts'
import { textsIntegrity } from '../remotes/textsIntegrity.ts'
import { shownTheme } from './frameAddress.ts'
import { serveGuest, type GuestDuties } from './guestPort.ts'

type Heard = Pick<GuestDuties, 'onGo' | 'onTitle' | 'onUnsaved' | 'onActive' | 'onRefused'>

export interface GuestListeners extends Heard {
  /** Its screens stand, so many ms after it was spoken to. */
  readonly onDrawn: (ms: number) => void
  readonly onFailed: (what: ObservationKind) => void
  readonly onFault: (fault: Fault) => void
}

/** A guest that was spoken to. */
export interface RunningGuest {
  readonly tell: (message: ToGuest) => void
  readonly stop: () => void
}

/** A guest that was given everything and draws nothing for this long gets a card. */
const patienceMs = 12_000

/**
 * Gives a frame that has loaded the port by which it reaches this page: once, and to no other document. Nothing else of
 * the page listens to it.
 */
export function startGuest(
  frame: HTMLIFrameElement | null,
  remote: RemoteOnPage,
  at: string,
  listeners: GuestListeners,
): RunningGuest {
  const startedAt = performance.now()
  const { port1, port2 } = new MessageChannel()
  const end = (fault: Fault): void => {
    stop()
    listeners.onFault(fault)
  }
  let isDrawn = false
  const port = serveGuest(port1, {
    ...listeners,
    part: remote.declaration.name,
    calls: remote.guest?.calls ?? [],
    ask: askForGuest,
    onDrawn: () => {
      if (!isDrawn) listeners.onDrawn(performance.now() - startedAt)
      isDrawn = true
    },
    onFailed: (what) => {
      isDrawn = true
      listeners.onFailed(what)
    },
    // The shell's own keys alone, and by the person's hand: a guest presses none by itself.
    onKey: (key) => shellKeys().includes(key) && navigator.userActivation?.isActive === true && runKey(key),
    onPong: () => pulse.hear(),
    onFlood: () => end('flood'),
  })
  const pulse = startPulse(port.tell, () => end('silent'))
  const late = setTimeout(() => !isDrawn && end('unready'), patienceMs)
  const colours = new MutationObserver(() => port.tell({ theme: shownTheme() }))
  colours.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const stop = (): void => {
    clearTimeout(late)
    pulse.stop()
    colours.disconnect()
    port.close()
  }
  void listTexts(remote).then((texts) => {
    const start: GuestStart = { user: session.get().user, at, keys: shellKeys(), texts }
    // The frame's origin has no name; what else could stand there now, this page's policy lets in from here alone.
    frame?.contentWindow?.postMessage(start, '*', [port2])
  })
  return { tell: port.tell, stop }
}

/** The keys of the page around a guest, which are the shell's: no other part is drawn beside it. */
export const shellKeys = (): string[] => [...new Set(listKeys().flatMap(({ keys }) => keys))]

/** Asks for a sign of life while the page is in sight; hidden pages are slowed down by browsers. */
function startPulse(tell: (message: ToGuest) => void, onSilent: () => void): { hear: () => void; stop: () => void } {
  let [count, owedSince] = [0, 0]
  const timer = setInterval(() => {
    if (document.visibilityState === 'hidden') owedSince = 0
    else if (owedSince > 0) {
      if (performance.now() - owedSince > guestLimits.silentMs) onSilent()
    } else {
      owedSince = performance.now()
      count += 1
      tell({ ping: count })
    }
  }, guestLimits.pingMs)
  return {
    hear: () => {
      owedSince = 0
    },
    stop: () => clearInterval(timer),
  }
}

/** The folder of this release. */
declare const __webpack_public_path__: string

/** What host and part say in the page's language: the frame may fetch nothing. It speaks English where that fails. */
async function listTexts({ declaration: { name }, releaseId, entry, languages }: RemoteOnPage) {
  const sources = [
    { part: 'host', base: __webpack_public_path__, release: snapshot().host, isThere: language() !== 'en' },
    {
      part: name,
      base: entry.slice(0, entry.lastIndexOf('/') + 1),
      release: releaseId,
      isThere: languages?.includes(language()),
    },
  ].filter(({ isThere }) => isThere)
  const texts = await Promise.all(
    sources.map(async ({ part, base, release }) => {
      const source = { language: language(), base, integrity: textsIntegrity(part, release) }
      return [part, await fetchCatalogue(source).catch(() => ({}))] as const
    }),
  )
  return Object.fromEntries(texts)
}
