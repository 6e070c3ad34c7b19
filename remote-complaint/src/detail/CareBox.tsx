import { complaint } from '@dmp/contract'
import { useAct, useCan, useLookup, useUnsaved, type Lookup, personName } from '@dmp/kit'
import { Choice } from '@dmp/kit/form'
import { ErrorAlert, Section, formatDate } from '@dmp/kit/screen'
import { StatusBadge, notify } from '@dmp/kit/ui'
import { useId, useState } from 'react'
import './care.css'

const nobody = 'nobody'

/** Who has the complaint in hand, and until when; those who handle complaints choose both. */
export function CareBox({ id, found }: { id: string; found: Lookup<typeof complaint.getCare> }) {
  const mayAssign = useCan(complaint.assign)
  const { data: care, error, refetch } = found
  return (
    <Section title="In hand">
      <ErrorAlert error={error} onRetry={refetch} />
      {care && (mayAssign ? <CareForm key={care.updatedDate} id={id} care={care} /> : <CareText care={care} />)}
      {care?.isOverdue && (
        <p className="complaint-care-overdue">
          <StatusBadge value="Overdue" tone="danger" />
        </p>
      )}
    </Section>
  )
}

function CareText({ care: { assignee, dueDate } }: { care: complaint.ComplaintCare }) {
  return (
    <p className="complaint-care-text">
      {assignee ? <bdi>{personName(assignee.fullName)}</bdi> : 'Nobody yet'}
      {dueDate !== null && `, due on ${formatDate(dueDate, 'short')}`}
    </p>
  )
}

function CareForm({ id, care }: { id: string; care: complaint.ComplaintCare }) {
  const dueId = useId()
  const people = useLookup(complaint.listAssignees, {})
  const [dueDate, setDueDate] = useState(care.dueDate ?? '')
  const isDirty = dueDate !== (care.dueDate ?? '')
  // A day is saved when the field is left, which the address bar and a closed tab do not wait for.
  const clearUnsaved = useUnsaved(isDirty)
  const { act, busy, error, reset } = useAct(complaint.assign, {
    refreshes: [complaint.list],
    onDone: (saved) => {
      clearUnsaved()
      notify.success(toSavedText(care, saved))
    },
  })
  const assigneeId = care.assignee?.id ?? null
  const save = (change: { assigneeId: string | null; dueDate: string | null }) =>
    void act({ id, ...change, seenUpdatedDate: care.updatedDate })
  const saveDay = () => {
    if (isDirty && !busy) save({ assigneeId, dueDate: dueDate === '' ? null : dueDate })
  }
  const choices = [
    { value: nobody, label: 'Nobody' },
    // Whoever was deactivated since then is not offered, and still named.
    ...(care.assignee && !people.data?.some((person) => person.id === assigneeId) ? [care.assignee] : []).map(toOption),
    ...(people.data ?? []).map(toOption),
  ]
  return (
    <div className="complaint-care">
      <Choice
        label="Assignee"
        options={choices}
        value={assigneeId ?? nobody}
        loading={people.isPending}
        disabled={busy}
        onChange={(next) => save({ assigneeId: next === nobody ? null : next, dueDate: care.dueDate })}
      />
      <span className="dmp-choice">
        <label htmlFor={dueId}>Due</label>
        {/* Typed digit by digit, a year is many other years first. */}
        <input
          id={dueId}
          type="date"
          className="dmp-input"
          value={dueDate}
          disabled={busy}
          onChange={(event) => setDueDate(event.target.value)}
          onBlur={saveDay}
          onKeyDown={({ key }) => key === 'Enter' && saveDay()}
        />
      </span>
      <ErrorAlert error={people.error} onRetry={people.refetch} />
      <ErrorAlert error={error} onClose={reset} />
    </div>
  )
}

/** The notice says what was changed, which is one of the two. */
function toSavedText(before: complaint.ComplaintCare, { assignee, dueDate }: complaint.ComplaintCare): string {
  if ((before.assignee?.id ?? null) !== (assignee?.id ?? null))
    return assignee ? `Complaint assigned to ${personName(assignee.fullName)}` : 'Complaint assigned to nobody'
  return dueDate === null ? 'Due date removed' : toDueText(formatDate(dueDate, 'short'))
}

const toDueText = (day: string): string => `Due date saved: ${day}`

const toOption = ({ id, fullName }: { readonly id: string; readonly fullName: string }) => ({
  value: id,
  label: personName(fullName),
})
