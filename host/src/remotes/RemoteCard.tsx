import type { RemoteOnPage } from '@dmp/contract/release'
import { Alert, Button } from '@dmp/kit/ui'
import { Screen } from '@dmp/kit/screen'
import type { RemoteError } from './RemoteError.ts'

/** Of a file that did not come it is all that somebody who is offline has to know. */
const toSentence = (error: RemoteError): string =>
  !navigator.onLine && /^(?:http|network|timeout|chunk)$/.test(error.fault)
    ? 'You are offline, and this part was not opened before. Try again when the connection is back.'
    : error.sentence

/** Takes a remote's place: which area is missing, why, and a retry. */
export function RemoteCard({
  remote,
  error,
  onRetry,
}: {
  remote: RemoteOnPage
  error: RemoteError
  onRetry: () => void
}) {
  const { title, name } = remote.declaration
  const sentence = toSentence(error)
  return (
    <Screen title={title}>
      <Alert
        type="error"
        showIcon
        role="alert"
        title={`${title} cannot be shown right now`}
        description={
          <>
            <p>{sentence} Everything else keeps working.</p>
            <p className="dmp-quiet">
              {name} · release {error.origin.release || remote.releaseId} · {error.fault}
            </p>
          </>
        }
        action={<Button onClick={onRetry}>Try again</Button>}
      />
    </Screen>
  )
}
