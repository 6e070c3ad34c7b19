import type { Answer, Endpoint, Input } from '@dmp/contract/endpoint'
import * as organization from '@dmp/contract/organization'
import * as scan from '@dmp/contract/scan'
import { useCan, useLookup, useUser } from '@dmp/kit'
import { tasks, type Task } from '@dmp/kit/ui'
import { useEffect, useRef } from 'react'
import { sayHeld, sayOver } from './transferNotices.ts'
import { isHeld, ofDeletion, ofExport, ofImport, ofTransfer } from './workTasks.ts'

const pollMs = 3000
/** While nothing happens before somebody has acted. */
const waitingPollMs = 15_000
/** What is over is news for so long. */
const recentMs = 86_400_000

/** Keeps what the server does for this person among the tasks, on every page, in every tab, and after a reload. */
export function Work() {
  const { fullName, organizationId: id } = useUser()
  const isOwn = ({ createdBy }: { readonly createdBy: string }) => createdBy === fullName
  const transfers = useFollowed(scan.listTransfers, {}, (all) => {
    const open = all.filter(({ finishedDate }) => finishedDate === null)
    return open.length === 0 ? undefined : open.every(isHeld) ? waitingPollMs : pollMs
  })
  // The provider's own organization has neither.
  const isCustomer = !organization.isBuiltIn({ id })
  const exports = useFollowed(
    organization.listExports,
    { id },
    (all) => (all.some(organization.isExportOpen) ? pollMs : undefined),
    isCustomer,
  )
  const imports = useFollowed(
    organization.listImports,
    { id },
    (all) => (all.some(organization.isImportOpen) ? pollMs : undefined),
    isCustomer,
  )
  const deletions = useFollowed(scan.listOwnDeletions, {}, () => undefined)
  useTold(transfers)
  useTasksOf(
    [
      ...(transfers ?? []).filter(({ finishedDate }) => isRecent(finishedDate)).map(ofTransfer),
      ...(exports ?? []).filter((one) => isOwn(one) && isRecent(one.readyDate ?? one.createdDate)).map(ofExport),
      ...(imports ?? []).filter((one) => isOwn(one) && isRecent(one.endedDate)).map(ofImport),
      ...(deletions ?? []).map(ofDeletion),
    ].filter((task) => task !== undefined),
  )
  return null
}

const isRecent = (date: string | null): boolean => date === null || Date.parse(date) > Date.now() - recentMs

/** The answer for those who may have it, asked for again while something goes on, and when the page is looked at. */
function useFollowed<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  toPause: (answer: Answer<E>) => number | undefined,
  isThere = true,
): Answer<E> | undefined {
  const isAllowed = useCan(endpoint)
  const mayAsk = isAllowed && isThere
  const { data, refetch } = useLookup(endpoint, input, { enabled: mayAsk })
  const pause = data && toPause(data)
  // Timers and the window are outside React.
  useEffect(() => {
    if (!mayAsk) return
    const ask = () => {
      if (!document.hidden) refetch()
    }
    window.addEventListener('focus', ask)
    const timer = pause === undefined ? undefined : setInterval(ask, pause)
    return () => {
      window.removeEventListener('focus', ask)
      clearInterval(timer)
    }
  }, [mayAsk, pause, refetch])
  return mayAsk ? data : undefined
}

/** Puts them among the tasks of the page, which lie outside React, and takes away those that are gone. */
function useTasksOf(list: readonly Task[]): void {
  const shown = useRef<readonly string[]>([])
  useEffect(() => {
    const ids = list.map(({ id }) => id)
    for (const id of shown.current) if (!ids.includes(id)) tasks.remove(id)
    for (const task of list) tasks.put(task)
    shown.current = ids
  })
}

/** Says what became of the transfers that this page saw under way. */
function useTold(transfers: readonly scan.Transfer[] | undefined): void {
  const seen = useRef(new Map<string, { readonly wasHeld: boolean }>())
  useEffect(() => {
    for (const transfer of transfers ?? []) {
      const { id, finishedDate } = transfer
      const before = seen.current.get(id)
      if (finishedDate === null) {
        if (isHeld(transfer) && !before?.wasHeld) sayHeld(transfer)
        seen.current.set(id, { wasHeld: isHeld(transfer) })
      } else if (before) {
        seen.current.delete(id)
        sayOver(transfer)
      }
    }
  }, [transfers])
}
