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
/** A transfer that this page never saw under way is told of for so long after its end. */
const justNowMs = 60_000

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

const isRecent = (date: string | null, ms = recentMs): boolean => date === null || Date.parse(date) > Date.now() - ms

/** The answer for those who may have it, asked for again while something goes on, and when the page is looked at. */
function useFollowed<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  toPause: (answer: Answer<E>) => number | undefined,
  isThere = true,
): Answer<E> | undefined {
  const isAllowed = useCan(endpoint)
  const mayAsk = isAllowed && isThere
  const { data, isFetching, refetch } = useLookup(endpoint, input, { enabled: mayAsk })
  // Asking once more would break off an answer that takes longer.
  const pause = isFetching ? undefined : data && toPause(data)
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

/**
 * Says what became of the transfers that went on while this page was open. A short one is over before the page hears of
 * it for the first time; one that ended long before somebody came back to this tab is no news.
 */
function useTold(transfers: readonly scan.Transfer[] | undefined): void {
  const states = useRef<ReadonlyMap<string, TransferState>>(undefined)
  useEffect(() => {
    if (!transfers) return
    const before = states.current
    states.current = new Map(transfers.map((transfer) => [transfer.id, stateOf(transfer)]))
    for (const transfer of transfers) {
      const [was, is] = [before?.get(transfer.id), stateOf(transfer)]
      if (is === was) continue
      // What waits already when the page comes is among the tasks; told of at each reload, it is a nuisance.
      if (is === 'held' && before) sayHeld(transfer)
      else if (is === 'over' && (was || (before && isRecent(transfer.finishedDate, justNowMs)))) sayOver(transfer)
    }
  }, [transfers])
}

type TransferState = 'open' | 'held' | 'over'
const stateOf = (transfer: scan.Transfer): TransferState =>
  transfer.finishedDate !== null ? 'over' : isHeld(transfer) ? 'held' : 'open'
