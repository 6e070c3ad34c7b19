import { onPersonChange, session, useSession } from '@dmp/kit'
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
}

const allTasks = observable<readonly (Task & { readonly owner: string })[]>([])

export const getTasks = allTasks.get

const getOwner = (): string => session.get().user?.email ?? ''

/**
 * Adds tasks to the task tray of the top bar and removes them. Tasks of a user who was signed in before are never
 * shown.
 */
export const tasks = {
  put: (task: Task): void =>
    allTasks.set((previousTasks) => [
      ...previousTasks.filter(({ id }) => id !== task.id),
      { ...task, owner: getOwner() },
    ]),
  remove: (id: string): void => allTasks.set((previousTasks) => previousTasks.filter((task) => task.id !== id)),
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
