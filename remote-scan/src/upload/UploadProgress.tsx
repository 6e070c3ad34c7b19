import { Link } from '@dmp/kit/router'
import { formatDate, Section } from '@dmp/kit/screen'
import { SimpleTable, type Column } from '@dmp/kit/table'
import { Alert, Button, Flex, Progress } from '@dmp/kit/ui'
import { formatBytes } from '@dmp/kit'
import { partText } from '../shared/counts.ts'
import { sumBytes, toGroups, type UploadGroup } from './groups.ts'
import { isDone, isIndex, isRefused, isStored, isStuck, type UploadFile, type Uploads } from './uploadFile.ts'
import { uploadQueue } from './uploadQueue.ts'

const groupColumns: Column<UploadGroup>[] = [
  { title: 'Patient', field: 'patient', width: 160 },
  { title: 'Study', field: 'study', render: ({ study }) => <StudyText text={study} />, width: 150 },
  { title: 'Series', field: 'name', render: ({ name, link }) => (link ? <Link to={link}>{name}</Link> : name) },
  { title: 'Files', value: ({ done, files }) => partText(done, files), width: 80 },
  { title: 'Stored', field: 'stored' },
  { title: 'Already stored', field: 'duplicate' },
  { title: 'Refused', field: 'refused' },
  {
    title: 'Progress',
    value: ({ percent }) => percent,
    render: ({ name, percent, refused, stored, duplicate }) => (
      <Progress size="small" percent={percent} {...toStatus(refused, stored + duplicate)} aria-label={name} />
    ),
    width: 150,
  },
]

/** Description and date, as headers are read. */
const datedStudy = /^(.* · )?(\d{4}-\d\d-\d\d)$/

function StudyText({ text }: { text: string }) {
  const [, description = '', day] = datedStudy.exec(text) ?? []
  if (day === undefined) return <bdi>{text}</bdi>
  return (
    <bdi>
      {description}
      <span className="upload-day">{formatDate(day, 'short')}</span>
    </bdi>
  )
}

/** Green only where everything went in, red only where somebody should look; files that were skipped are neither. */
const toStatus = (refused: number, stored: number) =>
  refused > 0 ? ({ status: 'exception' } as const) : stored > 0 ? {} : ({ status: 'normal' } as const)

const refusedColumns: Column<UploadFile>[] = [
  { title: 'File', field: 'path' },
  { title: 'Reason', value: ({ reason }) => reason ?? '' },
]

/** The queue tries again by itself: a person need not. */
const withoutAdvice = (message: string): string =>
  message.replace(/ (?:Please try again|Check your connection and try again)\.$/, '')

function toTitle(uploads: Uploads, isOver: boolean): string {
  if (isOver) return 'Upload finished'
  if (uploads.isPaused) return 'Upload paused'
  return isStuck(uploads) ? 'Upload stopped' : 'Uploading'
}

/**
 * The progress of the upload, and at its end which files were stored, which the server had already, and why others were
 * refused.
 */
export function UploadProgress({ uploads }: { uploads: Uploads }) {
  const { files, isPaused, trouble } = uploads
  const { sent, all } = sumBytes(uploads)
  const done = files.filter(isDone).length
  const refused = files.filter(isRefused)
  const isOver = done === files.length
  const buttons = (
    <Flex gap="small">
      {!isOver &&
        (isPaused || isStuck(uploads) ? (
          <Button onClick={uploadQueue.resume}>Resume</Button>
        ) : (
          <Button onClick={uploadQueue.pause}>Pause</Button>
        ))}
      <Button danger={!isOver} onClick={uploadQueue.clear}>
        {isOver ? 'Clear list' : 'Stop'}
      </Button>
    </Flex>
  )
  return (
    <>
      <Section title={toTitle(uploads, isOver)} extra={buttons}>
        {trouble && (
          <Alert
            className="upload-trouble"
            type={trouble.isPassing ? 'warning' : 'error'}
            showIcon
            title={trouble.isPassing ? withoutAdvice(trouble.message) : trouble.message}
            description={trouble.isPassing ? 'The upload resumes automatically.' : undefined}
          />
        )}
        <Progress
          percent={all === 0 ? 100 : Math.floor((100 * sent) / all)}
          {...toStatus(refused.length, files.filter(isStored).length)}
          aria-label="Upload"
        />
        {/* Announced once, at the end: every batch would be too much to hear. */}
        <p {...(isOver ? { role: 'status' } : {})}>
          {done} of {files.length} files, {formatBytes(sent)} of {formatBytes(all)}.
          {isOver ? '' : " You can keep working. Don't close this tab."}
        </p>
        <SimpleTable rows={toGroups(uploads)} columns={groupColumns} label="Series" rowKey={(row) => row.key} />
        <SkippedFiles
          files={files.filter(({ isSkipped }) => isSkipped)}
          isDisc={files.some(({ path }) => isIndex(path))}
        />
        {isOver && (
          <p>
            <Link to="/scan">Go to the scans</Link>
          </p>
        )}
      </Section>
      {refused.length > 0 && (
        <Section title="Refused files">
          <SimpleTable
            rows={refused}
            columns={refusedColumns}
            label="Refused files"
            rowKey={(row) => `${files.indexOf(row)}`}
          />
        </Section>
      )}
    </>
  )
}

/** What is no image beside images, in one line: nobody has to do anything about it. */
function SkippedFiles({ files, isDisc }: { files: readonly UploadFile[]; isDisc: boolean }) {
  if (files.length === 0) return null
  return (
    <details>
      <summary>{isDisc ? toDiscText(files.length) : toPlainText(files.length)}</summary>
      <ul>
        {files.map(({ path }, at) => (
          <li key={`${at} ${path}`}>{path}</li>
        ))}
      </ul>
    </details>
  )
}

const toDiscText = (files: number): string =>
  files === 1 ? '1 other file of the disc was skipped.' : `${files} other files of the disc were skipped.`

const toPlainText = (files: number): string =>
  files === 1 ? '1 file that is no image was skipped.' : `${files} files that are no images were skipped.`
