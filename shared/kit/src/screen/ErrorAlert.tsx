import { CallError } from '@dmp/kit'
import { Alert, Button } from '@dmp/kit/ui'
import { useSyncExternalStore } from 'react'
import { CopyText } from './CopyText.tsx'

function subscribe(onReturn: () => void): () => void {
  addEventListener('online', onReturn)
  return () => removeEventListener('online', onReturn)
}

/** Markup that stands before the code came over the line. */
const isMarkupOnline = () => true

export interface ErrorAlertProps {
  /** Any thrown value; null and undefined show nothing. */
  readonly error: unknown
  /** Makes it dismissible, as inside a modal. */
  readonly onClose?: (() => void) | undefined
  readonly onRetry?: (() => void) | undefined
}

/**
 * A failed call's message in a red alert, dismissible inside a modal (8.03), with the server's messages about single
 * fields.
 */
export function ErrorAlert({ error, onClose, onRetry }: ErrorAlertProps) {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine, isMarkupOnline)
  // The form's own button tries again; "You are offline" would not be true any more.
  if (isOnline && !onRetry && error instanceof CallError && error.code === 'OFFLINE') return null
  if (error === null || error === undefined) return null
  const message = error instanceof Error && error.message !== '' ? error.message : 'An unknown error occurred'
  const details = error instanceof CallError ? listDetails(error) : []
  const reference = error instanceof CallError && error.status >= 500 ? error.requestId : undefined
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      className="dmp-error"
      title={message}
      {...(details.length > 0 || reference
        ? {
            description: (
              <>
                {details.join('\n')}
                {reference && (
                  <div>
                    Reference: <CopyText text={reference} label="Reference" />
                  </div>
                )}
              </>
            ),
          }
        : {})}
      {...(onClose ? { closable: { onClose, 'aria-label': 'Close alert' } } : {})}
      action={
        onRetry && (
          <Button size="small" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    />
  )
}

function listDetails({ message, fields }: CallError): readonly string[] {
  const sentences = fields.map((field) => field.message).filter((sentence) => sentence !== message)
  return [...new Set(sentences)]
}
