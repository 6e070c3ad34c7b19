import { Button, CopyOutlined, notify } from '@dmp/kit/ui'

/** Copies a text to the clipboard. Returns false where the browser refuses. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

export interface CopyTextProps {
  readonly text: string
  /** Names the text on the button: 'StudyUID'. */
  readonly label: string
  /** The notice after copying. */
  readonly notice?: string | undefined
}

/** A text with a button that copies it and confirms that. */
export function CopyText({ text, label, notice }: CopyTextProps) {
  return (
    <span className="dmp-copy">
      <bdi>{text}</bdi>
      <CopyButton text={text} label={label} notice={notice} />
    </span>
  )
}

/** Copies a text and confirms that. */
export async function copyWithNotice({ text, label, notice = `${label} copied to clipboard.` }: CopyTextProps) {
  if (await copy(text)) notify.success(notice)
  else notify.error('This browser does not allow copying. Select the text and copy it manually.')
}

interface CopyButtonProps extends CopyTextProps {
  /** Tells it from other buttons for a text of the same label: the row that it is in. */
  readonly ofWhat?: string
  readonly tabIndex?: number
}

/** The button alone, where the text stands already. */
export function CopyButton({ tabIndex, ofWhat, ...copied }: CopyButtonProps) {
  return (
    <Button
      type="text"
      size="small"
      title="Copy"
      icon={<CopyOutlined />}
      aria-label={ofWhat === undefined ? `Copy ${copied.label}` : `Copy ${copied.label} of ${ofWhat}`}
      tabIndex={tabIndex}
      onClick={() => void copyWithNotice(copied)}
    />
  )
}
