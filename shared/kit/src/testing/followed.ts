import * as audit from '@dmp/contract/audit'
import type { Answer, Endpoint } from '@dmp/contract/endpoint'
import * as organization from '@dmp/contract/organization'
import * as webhook from '@dmp/contract/webhook'
import { useLayoutEffect } from 'react'
import { queryClient } from '../transport/queryClient.ts'
import { hasFakeTimers, hasInterval } from './leftovers.ts'

interface Followed {
  readonly read: Endpoint
  readonly isUnderWay: (answer: unknown) => boolean
}

const follow = <E extends Endpoint>(read: E, isUnderWay: (answer: Answer<E>) => boolean): Followed => ({
  read,
  isUnderWay: (answer) => isUnderWay(answer as Answer<E>),
})

/** What goes on at the server by itself, and how an answer says so. */
const followed: readonly Followed[] = [
  follow(audit.getLastCheck, ({ check }) => check?.state === 'running'),
  follow(organization.listExports, (exports) => exports.some(organization.isExportOpen)),
  follow(organization.listImports, (imports) => imports.some(organization.isImportOpen)),
  follow(webhook.getDelivery, ({ nextTryDate }) => nextTryDate !== null),
  follow(webhook.listDeliveries, ({ rows }) => rows.some(({ nextTryDate }) => nextTryDate !== null)),
]

function findUnfollowed(): string[] {
  if (hasInterval() || hasFakeTimers()) return []
  const shown = queryClient
    .getQueryCache()
    .getAll()
    .filter((query) => query.getObserversCount() > 0 && query.state.data !== undefined)
  return followed
    .filter(({ read, isUnderWay }) =>
      shown.some(({ queryKey: [name], state }) => name === read.name && isUnderWay(state.data)),
    )
    .map(({ read }) => read.name)
}

const found: string[] = []

/** Stands beside a screen and looks when that goes: before any effect of it ends, as a person last saw it. */
export function Follower(): null {
  useLayoutEffect(() => () => void found.push(...findUnfollowed()), [])
  return null
}

/**
 * The answers that a screen showed of something that was under way, without looking again by itself: whoever waits in
 * front of it waits for ever.
 */
export const takeUnfollowed = (): string[] => found.splice(0)
