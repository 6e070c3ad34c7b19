import { useState } from 'react'
import { account } from '@dmp/contract'
import type { SessionRow } from '@dmp/contract/account'
import { useAct, useData } from '@dmp/kit'
import { ConfirmModal, Section } from '@dmp/kit/screen'
import { SimpleTable, type Column } from '@dmp/kit/table'
import { Button, notify } from '@dmp/kit/ui'

const columns: Column<SessionRow>[] = [
  { title: 'Device', value: (row) => (row.isCurrent ? `${row.device} (this device)` : row.device) },
  { title: 'Address', field: 'address' },
  { title: 'Signed in', field: 'startedDate', type: 'date' },
  { title: 'Last seen', field: 'lastSeenDate', type: 'date' },
]

/** The user's sessions, so that they can notice and end a foreign one. */
export function SessionsSection() {
  const sessions = useData(account.listSessions, {})
  const [isAsking, setAsking] = useState(false)
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
      <SimpleTable rows={sessions} columns={columns} label="Signed-in devices" rowKey={(row) => row.id} />
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
