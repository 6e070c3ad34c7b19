import { exact } from '@dmp/contract/fields'
import { history, promoteCanary, rollback, status, stopCanary, type ShownPart } from '@dmp/contract/releaseCalls'
import { FormModal, TextAreaField } from '@dmp/kit/form'
import { notify } from '@dmp/kit/ui'
import * as v from 'valibot'
import { formatRelease } from './format.ts'

/** What a person is about to do with a part. */
export interface Move {
  readonly kind: 'rollback' | 'promote' | 'stop'
  readonly part: ShownPart
}

const longest = 500
/** Whoever reads the history later wants to know why. */
const Why = exact({
  reason: v.pipe(
    v.string('Say why; it stands in the history.'),
    v.trim(),
    v.nonEmpty('Say why; it stands in the history.'),
    v.maxLength(longest, `Please use at most ${longest} characters.`),
  ),
})

const steps = [1, 10, 50, 100]

/** Asks before what everybody gets is changed; the move is refused when somebody else moved it meanwhile. */
export function MoveModal({ move: { kind, part }, onClose }: { move: Move; onClose: () => void }) {
  const { title, name, live, canary, before } = part
  const back = before ? formatRelease(before, live) : ''
  const share = steps.find((step) => step > (canary?.percent ?? 0)) ?? 100
  const words = {
    rollback: {
      title: `Roll back ${title}?`,
      verb: 'Roll back',
      done: `${title} is back at ${back}`,
      call: rollback,
      releaseId: live.releaseId,
      text: `Everybody gets ${back} again, from the next page that they open. Open pages go on with what they have.`,
    },
    promote: {
      title: `Promote the canary of ${title}?`,
      verb: share === 100 ? 'Make it live' : `Give it to ${share} %`,
      done:
        share === 100
          ? `The canary of ${title} is live for everybody`
          : `${share} % of users get the canary of ${title}`,
      call: promoteCanary,
      releaseId: canary?.releaseId ?? '',
      text:
        share === 100
          ? 'Everybody gets it, and it is no canary any more.'
          : `${share} % of users get it; whoever has it already keeps it.`,
    },
    stop: {
      title: `Stop the canary of ${title}?`,
      verb: 'Stop it',
      done: `The canary of ${title} was stopped`,
      call: stopCanary,
      releaseId: canary?.releaseId ?? '',
      text: 'Whoever has it gets the live release at the next page.',
    },
  }[kind]
  return (
    <FormModal
      title={words.title}
      danger={kind !== 'promote'}
      schema={Why}
      call={words.call}
      input={{ part: name, releaseId: words.releaseId }}
      refreshes={[status, history]}
      submitLabel={words.verb}
      onClose={onClose}
      onDone={() => {
        notify.success(words.done)
        onClose()
      }}
    >
      <p>{words.text}</p>
      <TextAreaField name="reason" label="Reason" max={longest} rows={3} autoFocus />
    </FormModal>
  )
}
