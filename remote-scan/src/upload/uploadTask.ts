import { tasks, type Task } from '@dmp/kit/ui'
import { sumBytes } from './groups.ts'
import { isDone, isRefused, isStuck, type Uploads } from './uploadFile.ts'

const taskId = 'scan/upload'

/** Shows the upload among the tasks of the page, so that it is seen from every screen. */
export function showUploadTask(uploads: Uploads): void {
  const { files, trouble } = uploads
  if (files.length === 0) return tasks.remove(taskId)
  const { sent, all } = sumBytes(uploads)
  const done = files.filter(isDone).length
  const refused = files.filter(isRefused).length
  tasks.put({
    id: taskId,
    title: 'Upload',
    url: '/scan/upload',
    percent: done === files.length ? 100 : Math.floor((100 * sent) / all),
    state: toTaskState(uploads, done === files.length, refused > 0),
    note: trouble?.message ?? toNote(done, files.length, refused),
  })
}

const toNote = (done: number, all: number, refused: number): string =>
  [filesText(done, all), ...(refused > 0 ? [refusedText(refused)] : [])].join(', ')
const filesText = (done: number, all: number): string => `${done} of ${all} files`
const refusedText = (count: number): string => `${count} refused`

function toTaskState(uploads: Uploads, isOver: boolean, hasRefused: boolean): Task['state'] {
  if (isStuck(uploads)) return 'failed'
  if (isOver) return hasRefused ? 'failed' : 'done'
  return uploads.isPaused || uploads.trouble ? 'waiting' : 'running'
}
