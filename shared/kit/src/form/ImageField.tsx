import { formatBytes } from '@dmp/kit'
import { DeleteOutlined, UploadOutlined } from '@dmp/kit/ui'
import { limits } from '@dmp/contract/limits'
import { useEffect, useRef, useState, type ClipboardEvent, type DragEvent } from 'react'
import { FieldNotes, type FieldProps } from './Field.tsx'
import { useField, useForm } from './formContext.ts'

/** A picked image as it is sent (clause 3.10). */
export interface ImageData {
  readonly filename: string
  readonly filesize: number
  readonly fileDataURL: string
}

/** The specification's message about files that cannot be used (5.09); undefined for one that can. */
export function findImageRefusal(files: readonly File[]): string | undefined {
  if (files.length > 1) return 'Only single image upload allowed.'
  const [file] = files
  // Others, SVG among them, the server refuses with the same words.
  if (!file || !limits.complaintImageTypes.includes(file.type)) return 'Only image files are allowed.'
  // 9.02: 2097152 bytes are the most; the server allows exactly as many.
  return file.size > limits.complaintImageMaxBytes ? 'File size must be less than 2MB.' : undefined
}

/**
 * One image, by button, drop or paste, with its preview (5.09: one file, image type, under 2 MB). The value is an
 * `ImageData`, or '' when there is none.
 */
export function ImageField({
  name,
  label,
  help = 'Choose, drop or paste one image under 2 MB: PNG, JPEG, GIF or WebP.',
  disabled = false,
}: FieldProps) {
  const field = useField<ImageData | '' | null>(name, { label })
  const picker = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const { round } = useForm()
  // A reset removes the refusal, too: it belongs to one round.
  const [refused, setRefused] = useState<{ round: number; sentence: string | undefined }>()
  const refusal = refused?.round === round ? refused.sentence : undefined
  const image = field.value || null
  const isOff = disabled || field.isBusy

  const take = async (files: readonly File[]) => {
    if (isOff || files.length === 0) return
    const problem = findImageRefusal(files)
    setRefused({ round, sentence: problem })
    const [file] = files
    if (problem || !file) return
    const fileDataURL = await readDataUrl(file)
    if (fileDataURL === '') return setRefused({ round, sentence: 'The file cannot be read.' })
    field.change({ filename: file.name || 'pasted-image.png', filesize: file.size, fileDataURL })
  }
  usePaste(take)

  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    void take([...event.dataTransfer.files])
  }
  // A name and a type are claims: what the browser cannot show is no image, and the server would refuse it.
  const refuse = () => {
    field.change('')
    setRefused({ round, sentence: 'Only image files are allowed.' })
  }
  const remove = () => {
    field.change('')
    setRefused(undefined)
    picker.current?.focus()
  }

  return (
    <div className="dmp-field">
      <div className="dmp-field-head">
        <label htmlFor={field.id}>{label}</label>
      </div>
      <div
        className="dmp-drop"
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <UploadOutlined aria-hidden />
        <input
          ref={picker}
          id={field.id}
          type="file"
          accept={limits.complaintImageTypes.join(',')}
          disabled={isOff}
          {...field.described(help)}
          onChange={(event) => {
            void take([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
        {image && (
          <figure className="dmp-preview">
            <img src={image.fileDataURL} alt={`Preview of ${image.filename}`} onError={refuse} />
            <figcaption>
              {image.filename} ({formatBytes(image.filesize)})
            </figcaption>
            <button type="button" className="dmp-preview-remove" disabled={isOff} onClick={remove}>
              <DeleteOutlined aria-hidden /> Remove image
            </button>
          </figure>
        )}
      </div>
      <FieldNotes id={field.id} help={help} error={refusal ?? field.error} />
    </div>
  )
}

/** '' where the file cannot be read, such as one that was moved meanwhile. */
function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => resolve('')
    reader.readAsDataURL(file)
  })
}

// A screenshot may be pasted with the focus anywhere on the page; pasted text is left alone.
function usePaste(take: (files: readonly File[]) => Promise<void>): void {
  const latest = useRef(take)
  useEffect(() => {
    latest.current = take
  })
  useEffect(() => {
    const paste = (event: Event) => {
      const files = [...((event as unknown as ClipboardEvent).clipboardData?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      void latest.current(files)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
}
