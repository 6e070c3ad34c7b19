import { drafts, onPersonChange, session, useSession } from '@dmp/kit'
import { observable } from './observable.ts'

/** Long-running work that continues while other screens are shown, such as an upload. */
export interface Task {
  /** Identifies the task: another task with the same id replaces it. */
  readonly id: string
  readonly title: string
  /** 0 to 100. */
  readonly percent: number
  readonly state: 'running' | 'waiting' | 'done' | 'failed'
  /** The address of its screen. */
  readonly url: string
  readonly note?: string
  /** What can be done about it now, such as Stop or Undo; gone once it no longer can. */
  readonly action?: TaskAction
}

export interface TaskAction {
  readonly label: string
  readonly onAct: () => Promise<void>
}

const allTasks = observable<readonly (Task & { readonly owner: string })[]>([])

export const getTasks = allTasks.get

const getOwner = (): string => session.get().user?.email ?? ''

/**
 * Adds tasks to the task tray of the top bar and removes them. Tasks of a user who was signed in before are never
 * shown.
 */
export const tasks = {
  /** What was dismissed stays away, unless it goes on again. */
  put: (task: Task): void => {
    if (isRunning(task)) keepDismissed((ids) => ids.filter((id) => id !== task.id))
    else if (listDismissed().includes(task.id)) return
    const owned = { ...task, owner: getOwner() }
    allTasks.set((all) =>
      all.some(({ id }) => id === task.id)
        ? all.map((other) => (other.id === task.id ? owned : other))
        : [...all, owned],
    )
  },
  remove: (id: string): void => allTasks.set((all) => all.filter((task) => task.id !== id)),
  /** Removes what is over, also for the next pages of this tab. */
  dismiss: (id: string): void => {
    keepDismissed((ids) => [...ids, id].slice(-mostDismissed))
    tasks.remove(id)
  },
}

export const isRunning = ({ state }: Task): boolean => state === 'running' || state === 'waiting'

const mostDismissed = 100
const dismissedName = 'dismissed tasks'

function listDismissed(): readonly string[] {
  const ids = drafts.read(dismissedName)?.ids
  return Array.isArray(ids) ? ids.map(String) : []
}

function keepDismissed(change: (ids: readonly string[]) => readonly string[]): void {
  const ids = listDismissed()
  const kept = change(ids)
  if (kept.length !== ids.length) drafts.write(dismissedName, { ids: kept })
}

/** Follows the tasks of the signed-in user. */
export function useTasks(): readonly Task[] {
  const owner = useSession(({ user }) => user?.email ?? '')
  return allTasks.use().filter((task) => task.owner === owner)
}

// Who comes back after a session has ended finds their tasks again; for anybody else they never were.
onPersonChange((person) => {
  if (person !== null) allTasks.set((previousTasks) => previousTasks.filter(({ owner }) => owner === person))
})
