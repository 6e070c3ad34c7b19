import { useState } from 'react'
import { account } from '@dmp/contract'
import type { SessionRow } from '@dmp/contract/account'
import { useAct, useData } from '@dmp/kit'
import { ConfirmModal, DateText, Section } from '@dmp/kit/screen'
import { SimpleTable, type Column } from '@dmp/kit/table'
import { Button, notify } from '@dmp/kit/ui'

const columnsWith = (onEnd: (row: SessionRow) => void): Column<SessionRow>[] => [
  { title: 'Device', value: (row) => (row.isCurrent ? thisText(row.device) : row.device) },
  { title: 'Address', field: 'address' },
  { title: 'Signed in', field: 'startedDate', type: 'date' },
  { title: 'Last seen', field: 'lastSeenDate', type: 'date' },
  {
    title: 'Action',
    acts: true,
    render: (row) =>
      !row.isCurrent && (
        <Button size="small" aria-label={`Sign out ${row.device}`} onClick={() => onEnd(row)}>
          Sign out
        </Button>
      ),
  },
]

/** The user's sessions, so that they can notice and end a foreign one. */
export function SessionsSection() {
  const sessions = useData(account.listSessions, {})
  const [isAsking, setAsking] = useState(false)
  const [ended, setEnded] = useState<SessionRow>()
  const {
    act: signOut,
    busy,
    error,
  } = useAct(account.signOutOthers, {
    onDone: () => {
      notify.success('Signed out on all other devices')
      setAsking(false)
    },
  })
  const hasOthers = sessions.some((row) => !row.isCurrent)
  const button = (
    <Button disabled={!hasOthers} onClick={() => setAsking(true)}>
      Sign out others
    </Button>
  )
  return (
    <Section title="Signed-in devices" extra={button}>
      <SimpleTable rows={sessions} columns={columnsWith(setEnded)} label="Signed-in devices" rowKey={(row) => row.id} />
      {ended && <EndModal session={ended} onClose={() => setEnded(undefined)} />}
      {isAsking && (
        <ConfirmModal
          title="Sign out others"
          confirmLabel="Sign out others"
          busy={busy}
          error={error}
          onConfirm={() => void signOut({})}
          onClose={() => setAsking(false)}
        >
          Every other browser and app signed in to your account will be signed out immediately. Unsaved work on those
          devices will be lost.
        </ConfirmModal>
      )}
    </Section>
  )
}

function EndModal({ session, onClose }: { session: SessionRow; onClose: () => void }) {
  const { act, busy, error } = useAct(account.signOutSession, {
    onDone: () => {
      notify.success(`Signed out on ${session.device}`)
      onClose()
    },
  })
  return (
    <ConfirmModal
      title="Sign out this device"
      confirmLabel="Sign out"
      busy={busy}
      error={error}
      onConfirm={() => void act({ id: session.id })}
      onClose={onClose}
    >
      {session.device}, last seen <DateText value={session.lastSeenDate} format="moment" />, will be signed out
      immediately. Unsaved work on that device will be lost.
    </ConfirmModal>
  )
}

const thisText = (device: string): string => `${device} (this device)`
