import { useSyncExternalStore } from 'react'
import { session, useSession } from '@dmp/kit'
import type { UploadFile, Uploads } from './uploadFile.ts'
import { showUploadTask } from './uploadTask.ts'

const noUploads: Uploads = { owner: '', files: [], sentBytes: 0, isRunning: false, isPaused: false, trouble: null }

let state = noUploads
const listeners = new Set<() => void>()

export const currentOwner = (): string => session.get().user?.email ?? ''

/** The uploads of this page: kept outside of React, because it continues while other screens are shown. */
export const uploadStore = {
  get: (): Uploads => state,
  set(change: Partial<Uploads>): void {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
    showUploadTask(state)
  },
  /** Changes the files at these positions; `position` is that within the batch. */
  setFiles(batch: readonly number[], change: (file: UploadFile, position: number) => UploadFile): void {
    const positions = new Map(batch.map((index, position) => [index, position]))
    const files = state.files.map((file, index) => {
      const position = positions.get(index)
      return position === undefined ? file : change(file, position)
    })
    uploadStore.set({ files })
  },
  clear(): void {
    uploadStore.set({ ...noUploads, isRunning: state.isRunning })
  },
}

/** The uploads of the signed-in user. */
export function useUploads(): Uploads {
  const owner = useSession(({ user }) => user?.email ?? '')
  const uploads = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )
  return uploads.owner === owner ? uploads : noUploads
}
