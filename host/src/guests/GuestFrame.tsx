import type { RemoteOnPage } from '@dmp/contract/release'
import { recordActivity, reportError, settings, useSession, useUnsaved } from '@dmp/kit'
import { useLocation } from '@dmp/kit/router'
import { Waiting } from '@dmp/kit/screen'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { noteBeginning, noteEnd } from '../remotes/beginnings.ts'
import { RemoteCard } from '../remotes/RemoteCard.tsx'
import { RemoteError, type Fault } from '../remotes/RemoteError.ts'
import { recordLoadFailure, recordObservation } from '../remotes/releaseReports.ts'
import { shellKeys, startGuest, type RunningGuest } from './startGuest.ts'
import { toFrameAddress } from './frameAddress.ts'
import { useGo } from './useGo.ts'
import './guests.css'

/** A part that is not trusted, in a frame of an origin that is nobody's; when it fails, a card with a way out. */
export default function GuestFrame({ remote }: { remote: RemoteOnPage }) {
  const [{ fault, round }, setState] = useState<{ fault?: Fault; round: number }>({ round: 0 })
  if (fault === undefined)
    return <Frame key={round} remote={remote} onFault={(next) => setState({ fault: next, round })} />
  const origin = { remote: remote.declaration.name, release: remote.releaseId, url: remote.entry }
  return (
    <RemoteCard remote={remote} error={new RemoteError(fault, origin)} onRetry={() => setState({ round: round + 1 })} />
  )
}

interface FrameProps {
  readonly remote: RemoteOnPage
  readonly onFault: (fault: Fault) => void
}

function Frame({ remote, onFault }: FrameProps) {
  const { title, name } = remote.declaration
  const { releaseId } = remote
  const frame = useRef<HTMLIFrameElement>(null)
  const running = useRef<RunningGuest>(null)
  const [address] = useState(() => toFrameAddress(remote))
  const [isDrawn, setDrawn] = useState(false)
  const [isUnsaved, setUnsaved] = useState(false)
  const releaseUnsaved = useUnsaved(isUnsaved)
  const { pathname, search, hash, key } = useLocation()
  const at = pathname + search + hash
  const go = useGo(remote)
  /** Where this page is, how many steps the guest made, and those of them that this page has not taken yet. */
  const steps = useRef({ at, count: 0, underWay: [] as string[] })
  const tellPlace = () => {
    steps.current.underWay = []
    running.current?.tell({ at: steps.current.at, after: steps.current.count })
  }

  const refuse = (what: string) => reportError(new Error(`A guest was refused ${what}.`), `${name}@${releaseId}`)
  const fail = (fault: Fault) => {
    noteEnd(name, './App')
    recordLoadFailure(name, releaseId, new RemoteError(fault, { remote: name, release: releaseId, url: remote.entry }))
    onFault(fault)
  }
  const failLate = useEffectEvent(() => running.current === null && fail('timeout'))
  const onDrawn = () => {
    noteEnd(name, './App')
    setDrawn(true)
    // Who came from elsewhere on the page goes on in the frame; the first page of a visit begins at its top.
    if (key !== 'default') frame.current?.focus({ preventScroll: true })
  }
  const onLoad = () => {
    if (running.current) return fail('left')
    running.current = startGuest(frame.current, remote, at, {
      onDrawn: (ms) => {
        recordObservation(name, releaseId, 'loaded', ms)
        onDrawn()
      },
      // It shows its own card.
      onFailed: (what) => {
        recordObservation(name, releaseId, what)
        onDrawn()
      },
      onFault: (fault) => fail(fault),
      onGo: (to, isReplacing) => {
        steps.current.count += 1
        if (go(to, isReplacing)) return void steps.current.underWay.push(to)
        refuse('an address of others')
        tellPlace()
      },
      // The application's name stays beside it.
      onTitle: (text) => {
        document.title = `${text} · ${settings().applicationName}`
      },
      onUnsaved: (next) => {
        if (!next) releaseUnsaved()
        setUnsaved(next)
      },
      // Input in the frame is input of the person, as far as the browser says so.
      onActive: () => navigator.userActivation?.isActive !== false && recordActivity(),
      onRefused: (what) => {
        refuse(what)
        recordObservation(name, releaseId, 'error')
      },
    })
  }

  useEffect(() => {
    noteBeginning(name, './App', releaseId)
    const timer = setTimeout(() => failLate(), loadMs)
    return () => {
      clearTimeout(timer)
      noteEnd(name, './App')
      running.current?.stop()
    }
  }, [name, releaseId])
  useEffect(() => {
    steps.current.at = at
    const { underWay } = steps.current
    // A step of its own, which it shows already: told of it, it would come back from where it is by now.
    if (underWay.splice(0, underWay.lastIndexOf(at) + 1).length === 0) tellPlace()
  }, [at])
  // Another policy shows other buttons, and other keys of the shell.
  const user = useSession((state) => state.user)
  useEffect(() => {
    if (user) running.current?.tell({ user, keys: shellKeys() })
  }, [user])

  return (
    <div className="dmp-guest" data-drawn={isDrawn}>
      {!isDrawn && (
        <div className="dmp-guest-waiting">
          <Waiting />
        </div>
      )}
      <iframe
        ref={frame}
        title={title}
        src={address}
        sandbox="allow-scripts allow-forms"
        referrerPolicy="no-referrer"
        onLoad={onLoad}
      />
    </div>
  )
}

/** A slow line brings the host's files a second time. */
const loadMs = 20_000
