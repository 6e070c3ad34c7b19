import { useState, type DragEvent } from 'react'
import { forSamePerson } from '@dmp/kit'
import { notify } from '@dmp/kit/ui'

const hasFiles = ({ dataTransfer }: DragEvent): boolean => [...dataTransfer.types].includes('Files')

/** Files that are dropped anywhere on the screen are uploaded; the screen stays. */
export function useDrop(organizationId: string, isAllowed: boolean) {
  const [isOver, setOver] = useState(false)
  if (!isAllowed) return { isOver: false, handlers: {} }

  async function drop(event: DragEvent) {
    if (!hasFiles(event)) return
    event.preventDefault()
    setOver(false)
    const { items } = event.dataTransfer
    try {
      // Entries are read while the event runs; only who uploads needs what does it.
      const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
      const [{ readEntries }, { uploadQueue }] = await Promise.all([
        import('../upload/droppedFiles.ts'),
        import('../upload/uploadQueue.ts'),
      ])
      const picked = await forSamePerson(readEntries(entries))
      if (picked.length === 0) return notify.warning('No files were found in your selection.')
      uploadQueue.add(organizationId, picked)
      notify.info(
        picked.length === 1
          ? 'Uploading 1 file. See Tasks for the progress.'
          : `Uploading ${picked.length} files. See Tasks for the progress.`,
      )
    } catch (error) {
      notify.error(error instanceof Error ? error.message : 'Your selection could not be read.')
    }
  }
  return {
    isOver,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: (event: DragEvent) => {
        const inside = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)
        if (!inside) setOver(false)
      },
      onDrop: (event: DragEvent) => void drop(event),
    },
  }
}
