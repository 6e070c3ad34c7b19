import type { GuestPage, GuestStart } from '@dmp/contract/guest'

/** What this page was told of itself; undefined in every page that is not a guest's. */
export function guestPage(): GuestPage | undefined {
  const text = document.getElementById('dmp-guest')?.textContent
  return text ? (JSON.parse(text) as GuestPage) : undefined
}

export interface Started {
  readonly start: GuestStart
  readonly port: MessagePort
}

/** The first word of the page around this frame, and the port that came with it. Nobody else is listened to. */
export function awaitStart(): Promise<Started> {
  return new Promise((resolve) => {
    const hear = ({ source, origin, data, ports: [port] }: MessageEvent<GuestStart>): void => {
      if (source !== window.parent || origin !== location.origin || port === undefined) return
      window.removeEventListener('message', hear)
      resolve({ start: data, port })
    }
    window.addEventListener('message', hear)
  })
}
