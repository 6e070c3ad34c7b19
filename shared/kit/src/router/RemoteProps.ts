import type { ReactNode } from 'react'

/** The properties that the host passes to every remote's `App`. */
export interface RemoteProps {
  /** The host's not-found page (2.30): the element of the remote's last route, `path="*"`. */
  readonly notFound: ReactNode
}
