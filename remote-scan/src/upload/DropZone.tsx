import { useRef, useState, type DragEvent } from 'react'
import { forSamePerson } from '@dmp/kit'
import { Button, Flex, UploadOutlined, notify } from '@dmp/kit/ui'
import { droppedFiles, pickedFiles, type PickedFile } from './droppedFiles.ts'
import './upload.css'

/** Takes files, folders and zips, by drop or by button. */
export function DropZone({
  organization,
  onPick,
}: {
  organization: string
  onPick: (picked: readonly PickedFile[]) => void
}) {
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [isReading, setReading] = useState(false)

  // A folder of a thousand files takes a while to be looked through.
  async function take(reading: Promise<readonly PickedFile[]>) {
    setReading(true)
    try {
      const picked = await forSamePerson(reading)
      if (picked.length === 0) notify.warning('No files were found in your selection.')
      else onPick(picked)
    } catch (error) {
      notify.error(error instanceof Error ? error.message : 'Your selection could not be read.')
    } finally {
      setReading(false)
    }
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    void take(droppedFiles(event.dataTransfer.items))
  }

  const input = (ref: typeof files, isFolder: boolean) => (
    <input
      ref={ref}
      type="file"
      multiple
      className="dmp-hidden"
      tabIndex={-1}
      aria-label={isFolder ? 'Folder' : 'Files'}
      {...(isFolder ? { webkitdirectory: '' } : {})}
      onChange={(event) =>
        void take(pickedFiles(event.target.files)).finally(() => {
          if (ref.current) ref.current.value = ''
        })
      }
    />
  )
  return (
    <div
      className="upload-zone"
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <UploadOutlined aria-hidden className="upload-zone-sign" />
      <p>
        Drop DICOM files, folders or a zip here. They go to <strong>{organization}</strong>.
      </p>
      <Flex wrap gap="small" justify="center">
        <Button type="primary" loading={isReading} onClick={() => folder.current?.click()}>
          Choose folder
        </Button>
        <Button onClick={() => files.current?.click()}>Choose files</Button>
      </Flex>
      {input(folder, true)}
      {input(files, false)}
    </div>
  )
}
